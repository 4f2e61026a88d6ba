/*
 * cache.X.write_allocate=validate: a store miss allocates its line without reading it, and each word becomes valid as
 * it is written. N. P. Jouppi, Cache Write Policies and Performance (ISCA 1993), section 4: write-validate.
 *
 * The 1994 caches: first-level lines of 16 bytes, second-level lines of 128; a second-level hit takes 10 cycles, memory
 * 100.
 */
#include "timing_machine.h"

#define VALIDATE  "cache.l1d.write_allocate=validate "
#define ONE_LEVEL "cache.model=one-level " VALIDATE
#define BOTH      VALIDATE "cache.l2.write_allocate=validate "

static unsigned sized(struct machine *m, unsigned cpu, enum memsys_access kind, paddr address, unsigned size)
{
    struct memsys_request request = {.access = kind,
                                     .address = address,
                                     .virtual_address = address,
                                     .size = (uint8_t)size,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &m->permission,
                                     .bucket = &m->bucket[cpu]};
    return (unsigned)memsys_access(m->memsys, cpu, &request);
}

static struct memsys_entry look(struct machine *m, unsigned cpu, enum memsys_cache cache, paddr address)
{
    return memsys_look(m->memsys, cpu, cache, address);
}

/* One CPU, one level */

static void jouppi_1993_a_store_miss_reads_nothing(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    assert_int_equal(store(m, 0, A), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).dirty);
    assert_true(look(m, 0, MEMSYS_L1D, A).partial);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 1);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    assert_int_equal(charged(m, 0), 0);
    done(m);
}

static void jouppi_1993_a_load_of_a_valid_word_hits(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    store(m, 0, A + 4);
    assert_int_equal(load(m, 0, A + 4), 0);
    assert_int_equal(m->permission, PERMIT_NONE); /* the next load may be of another word */
    assert_int_equal(sized(m, 0, MEMSYS_READ, A + 7, 1), 0);
    assert_int_equal(value(m, "cpu0.l1d.read_misses"), 0);
    done(m);
}

static void jouppi_1993_a_load_of_another_word_reads_the_line_once(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    store(m, 0, A + 4);
    assert_int_equal(load(m, 0, A + 8), MEMORY);
    assert_int_equal(value(m, "cpu0.l1d.read_misses"), 1);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_false(look(m, 0, MEMSYS_L1D, A).partial);
    assert_true(look(m, 0, MEMSYS_L1D, A).dirty); /* the word stored before is merged */
    for (paddr word = A; word < A + 16; word += 4)
        assert_int_equal(load(m, 0, word), 0);
    assert_int_equal(m->permission & PERMIT_READ_STORE, PERMIT_READ_STORE);
    done(m);
}

static void jouppi_1993_a_line_written_as_a_whole_is_never_read(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    for (paddr word = A; word < A + 16; word += 4) {
        assert_int_equal(m->permission & PERMIT_READ_STORE, PERMIT_NONE);
        assert_int_equal(store(m, 0, word), 0);
    }
    assert_int_equal(m->permission & PERMIT_READ_STORE, PERMIT_READ_STORE);
    assert_false(look(m, 0, MEMSYS_L1D, A).partial);
    for (paddr word = A; word < A + 16; word += 4)
        assert_int_equal(load(m, 0, word), 0);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    done(m);
}

/* A doubleword is two words; a part of a word needs the rest of it. */
static void words_are_of_four_bytes(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A, 8), 0);
    assert_int_equal(sized(m, 0, MEMSYS_READ, A, 8), 0);
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 6, 2), 0); /* of a valid word */
    assert_int_equal(sized(m, 0, MEMSYS_READ, A + 8, 8), MEMORY);
    store(m, 0, A + 0x40);
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 0x46, 2), MEMORY); /* of one that is not */
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 0x80, 1), MEMORY); /* of an absent line */
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 4);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 2);
    assert_int_equal(value(m, "memory.fills"), 3);
    done(m);
}

static void a_partly_valid_victim_is_written_back(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    store(m, 0, A);
    load(m, 0, A + L1_STRIDE);
    assert_int_equal(store(m, 0, A + 2 * L1_STRIDE), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    done(m);
}

/* Its write-back takes as long as any: 35 cycles before the allocation; with a buffer of one entry, which memory
 * empties in 100 cycles, none unless another victim is there: not from t + 100 on. */
static void the_victim_of_an_allocation_takes_its_time(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL "cache.l1d.write_back_time=175");
    store_at(m, 0, A, 1000);
    assert_int_equal(store_at(m, 0, A + L1_STRIDE, 2000), 0);
    assert_int_equal(store_at(m, 0, A + 2 * L1_STRIDE, 3000), 35);
    done(m);
    for (cycles now = 4098; now <= 4101; now++) {
        m = machine(1, ONE_LEVEL "cache.l1d.write_buffer.depth=1");
        store_at(m, 0, A, 1000);
        store_at(m, 0, A + L1_STRIDE, 2000);
        assert_int_equal(store_at(m, 0, A + 2 * L1_STRIDE, 4000), 0);
        assert_int_equal(store_at(m, 0, A + 3 * L1_STRIDE, now), now < 4100 ? 4100 - (unsigned)now : 0);
        done(m);
    }
}

static void a_unified_level_fetches_what_is_not_valid(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL "cache.l1.split=off");
    store(m, 0, A);
    assert_int_equal(fetch(m, 0, A), 0);
    assert_int_equal(fetch(m, 0, A + 4), MEMORY);
    assert_int_equal(value(m, "cpu0.l1d.insn_misses"), 1);
    done(m);
}

/* Two levels */

static void the_second_level_has_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, VALIDATE);
    load(m, 0, A + 64);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(value(m, "cpu0.l2.write_misses"), 0);
    assert_true(look(m, 0, MEMSYS_L2, A).dirty);
    assert_int_equal(load(m, 0, A + 4), L2_HIT);
    assert_int_equal(value(m, "memory.fills"), 1);
    done(m);
}

/* A second level that has to read the line makes the store an ordinary miss. */
static void the_second_level_reads_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, VALIDATE);
    assert_int_equal(store(m, 0, A), MEMORY);
    assert_false(look(m, 0, MEMSYS_L1D, A).partial);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 0);
    assert_int_equal(load(m, 0, A + 4), 0);
    done(m);
}

static void both_levels_allocate(void **state)
{
    (void)state;
    struct machine *m = machine(1, BOTH);
    assert_int_equal(store(m, 0, A), 0);
    assert_int_equal(store(m, 0, A + 16), 0);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 2);
    assert_int_equal(value(m, "cpu0.l2.allocations"), 1);
    assert_int_equal(value(m, "cpu0.l2.write_misses"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    assert_true(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(load(m, 0, A + 4), MEMORY);
    assert_int_equal(value(m, "cpu0.l2.read_misses"), 1);
    assert_false(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(load(m, 0, A + 20), L2_HIT);
    done(m);
}

/* An inner line whose words are all valid in the second level is read from there. */
static void the_second_level_supplies_what_is_valid(void **state)
{
    (void)state;
    struct machine *m = machine(1, BOTH);
    for (paddr word = A; word < A + 16; word += 4)
        store(m, 0, word);
    load(m, 0, A + L1_STRIDE);
    load(m, 0, A + 2 * L1_STRIDE);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(load(m, 0, A), L2_HIT);
    assert_true(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(fetch(m, 0, A + 16), MEMORY);
    done(m);
}

/* Stores written through allocate in the second level. */
static void a_posted_store_allocates(void **state)
{
    (void)state;
    struct machine *m =
        machine(1, "cache.l1d.write=through cache.l1d.write_allocate=off cache.l2.write_allocate=validate "
                   "cache.l2.write_buffer.depth=1");
    assert_int_equal(store_at(m, 0, A, 1000), 0);
    assert_true(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(value(m, "cpu0.l2.allocations"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    assert_int_equal(load_at(m, 0, A, 2000), MEMORY); /* the first level reads a line of which a word is valid */
    assert_int_equal(store_at(m, 0, A + 4, 3000), 0);
    assert_int_equal(value(m, "cpu0.l2.write_misses"), 1);
    done(m);
}

/* CACHE */

static void a_hit_write_back_removes_a_partly_valid_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, BOTH);
    store(m, 0, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1); /* it left, because it cannot become clean */
    cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_WRITEBACK, A);
    assert_false(look(m, 0, MEMSYS_L2, A).valid);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l2.invalidations"), 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    done(m);
}

/* Two CPUs */

static void an_allocation_invalidates_the_others(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL "memory.upgrade_time=300");
    load(m, 0, A);
    assert_int_equal(store(m, 1, A), 60);
    assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 60);
    assert_int_equal(m->bucket[1].miss[MISS_UPGRADE], 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    assert_int_equal(memsys_state(m->memsys, 1, A), 'M');
    assert_int_equal(store(m, 1, A + 4), 0);
    assert_int_equal(value(m, "memory.fills"), 1);
    done(m);
}

/* What another CPU has modified is written back first. */
static void an_allocation_writes_the_owners_data_back(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL);
    load(m, 0, A);
    store(m, 0, A);
    assert_int_equal(store(m, 1, A + 4), 100);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    assert_int_equal(value(m, "cpu0.l1d.coherence_write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l1d.interventions"), 0);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

static void a_reader_gets_the_owners_words_and_the_rest_from_memory(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL "memory.intervention_time=350");
    store(m, 0, A);
    assert_int_equal(load(m, 1, A + 4), 70);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid); /* clean and partly valid: not kept */
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    assert_int_equal(memsys_state(m->memsys, 1, A), 'S');
    assert_int_equal(value(m, "cpu0.l1d.interventions"), 1);
    assert_int_equal(value(m, "cpu0.l1d.coherence_write_backs"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_false(look(m, 1, MEMSYS_L1D, A).partial);
    done(m);
}

static void a_device_reads_and_writes_a_partly_valid_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL);
    store(m, 0, A);
    store(m, 0, A + 16);
    memsys_dma_read(m->memsys, A, 4, 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    memsys_dma_write(m->memsys, A + 16, 4, 0);
    assert_false(look(m, 0, MEMSYS_L1D, A + 16).valid);
    assert_int_equal(value(m, "memory.write_backs"), 2);
    done(m);
}

/* CPU 0's request has the address wires until 1008; the upgrade needs them 4 cycles after its start, after the
 * arbitration: it waits up to 1003, not from 1004 on. */
static void the_upgrade_waits_for_the_bus(void **state)
{
    (void)state;
    unsigned previous = 1000;
    for (cycles now = 1000; now <= 1008; now++) {
        struct machine *m = machine(2, ONE_LEVEL BUS "cache.l1d.line=128 cache.l1i.line=128");
        load_at(m, 0, A + 0x1000, 1000);
        const unsigned waited = store_at(m, 1, A, now) - 100;
        assert_int_equal(waited, now < 1000 + ADDRESS ? 1000 + ADDRESS - (unsigned)now : 0);
        assert_true(waited <= previous);
        assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 100 + waited);
        previous = waited;
        done(m);
    }
}

/* Pages with updates: the store has to reach the others, and the line is read. */
static void update_pages_read_the_line(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL "cache.protocol=firefly");
    assert_int_equal(store(m, 0, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 0);
    done(m);
}

/* Write-through: the R2000's data cache has lines of a word, each with a tag. A store of a word writes both; a store of
 * a part of a word changes the cache only if it hits. */

#define WORDS "cache.l1d.write=through cache.l1d.line=4 " VALIDATE

static void a_stored_word_is_a_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, WORDS "cache.model=one-level cache.l1i.line=4");
    assert_int_equal(store(m, 0, A), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).valid);
    assert_false(look(m, 0, MEMSYS_L1D, A).dirty || look(m, 0, MEMSYS_L1D, A).partial);
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(sized(m, 0, MEMSYS_READ, A + 3, 1), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A + 4).valid);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 1);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    assert_int_equal(value(m, "memory.writes"), 1);
    assert_int_equal(charged(m, 0), 0);
    done(m);
}

static void a_stored_byte_is_none(void **state)
{
    (void)state;
    struct machine *m = machine(1, WORDS "cache.model=one-level cache.l1i.line=4");
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 1, 1), 0);
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 2, 2), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 0);
    store(m, 0, A);
    assert_int_equal(sized(m, 0, MEMSYS_WRITE, A + 1, 1), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 3);
    assert_int_equal(value(m, "memory.writes"), 4);
    done(m);
}

static void a_stored_word_replaces_another(void **state)
{
    (void)state;
    struct machine *m = machine(1, WORDS "cache.model=one-level cache.l1i.line=4 cache.l1d.ways=1 cache.classify=full");
    load(m, 0, A);
    assert_int_equal(store(m, 0, A + 0x4000), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A + 0x4000).valid);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    done(m);
}

static void an_inclusive_level_has_the_stored_word(void **state)
{
    (void)state;
    struct machine *m = machine(1, WORDS); /* the second level reads the line while the CPU continues */
    assert_int_equal(store(m, 0, A), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).valid && look(m, 0, MEMSYS_L2, A).dirty);
    done(m);
    m = machine(1, WORDS "cache.l2.write_allocate=off");
    assert_int_equal(store(m, 0, A), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid || look(m, 0, MEMSYS_L2, A).valid);
    done(m);
    m = machine(1, WORDS "cache.l2.write_allocate=off cache.l2.inclusive=off");
    assert_int_equal(store(m, 0, A), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).valid && !look(m, 0, MEMSYS_L2, A).valid);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    done(m);
}

static void a_stored_word_is_gone_from_other_cpus(void **state)
{
    (void)state;
    struct machine *m = machine(2, WORDS "cache.model=one-level cache.l1i.line=4 cache.protocol=mesi");
    load(m, 1, A);
    store(m, 0, A);
    assert_false(look(m, 1, MEMSYS_L1D, A).valid);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'E');
    done(m);
    m = machine(2, WORDS "cache.model=one-level cache.l1i.line=4 cache.protocol=firefly");
    load(m, 1, A);
    store(m, 0, A);
    assert_true(look(m, 1, MEMSYS_L1D, A).valid);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    assert_int_equal(value(m, "memory.updates"), 1);
    done(m);
}

/* Combinations */

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    refuses(VALIDATE "cache.l1d.write=through",
            "cache.l1d.write_allocate is validate: needs cache.l1d.line=4 with cache.l1d.write=through");
    refuses("cache.l2.write_allocate=validate cache.l1d.write=through cache.l2.write=through",
            "cache.l2.write_allocate is validate: not possible with cache.l2.write=through");
    refuses(VALIDATE "cache.l2.inclusive=off", "cache.l1d.write_allocate is validate: needs cache.l2.inclusive=on");
    refuses("cache.l2.write_allocate=validate cache.classify=full",
            "cache.l2.write_allocate is validate: needs cache.classify=off (misses of words that are not valid have no "
            "class)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jouppi_1993_a_store_miss_reads_nothing),
        cmocka_unit_test(jouppi_1993_a_load_of_a_valid_word_hits),
        cmocka_unit_test(jouppi_1993_a_load_of_another_word_reads_the_line_once),
        cmocka_unit_test(jouppi_1993_a_line_written_as_a_whole_is_never_read),
        cmocka_unit_test(words_are_of_four_bytes),
        cmocka_unit_test(a_partly_valid_victim_is_written_back),
        cmocka_unit_test(the_victim_of_an_allocation_takes_its_time),
        cmocka_unit_test(a_unified_level_fetches_what_is_not_valid),
        cmocka_unit_test(the_second_level_has_the_line),
        cmocka_unit_test(the_second_level_reads_the_line),
        cmocka_unit_test(both_levels_allocate),
        cmocka_unit_test(the_second_level_supplies_what_is_valid),
        cmocka_unit_test(a_posted_store_allocates),
        cmocka_unit_test(a_hit_write_back_removes_a_partly_valid_line),
        cmocka_unit_test(an_allocation_invalidates_the_others),
        cmocka_unit_test(an_allocation_writes_the_owners_data_back),
        cmocka_unit_test(a_reader_gets_the_owners_words_and_the_rest_from_memory),
        cmocka_unit_test(a_device_reads_and_writes_a_partly_valid_line),
        cmocka_unit_test(the_upgrade_waits_for_the_bus),
        cmocka_unit_test(update_pages_read_the_line),
        cmocka_unit_test(a_stored_word_is_a_line),
        cmocka_unit_test(a_stored_byte_is_none),
        cmocka_unit_test(a_stored_word_replaces_another),
        cmocka_unit_test(an_inclusive_level_has_the_stored_word),
        cmocka_unit_test(a_stored_word_is_gone_from_other_cpus),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
