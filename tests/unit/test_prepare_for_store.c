/*
 * PREF with hint 30, PrepareForStore (MIPS32 vol. II, PREF), by cache.l1d.prepare_for_store. allocate: "If the
 * reference hits in the cache, no action is taken. If the reference misses in the cache, a line is selected for
 * replacement, any valid and dirty victim is written back to memory, the entire line is filled with zero data, and the
 * state of the line is marked as valid and dirty." (Here the data stay as they are in RAM; the program overwrites
 * them.)
 *
 * The 1994 caches: first-level lines of 16 bytes, second-level lines of 128; a second-level hit takes 10 cycles, memory
 * 100.
 */
#include "timing_machine.h"

#define ALLOCATE  "cache.l1d.prepare_for_store=allocate "
#define ONE_LEVEL "cache.model=one-level " ALLOCATE

static unsigned prepare_at(struct machine *m, unsigned cpu, paddr address, cycles now)
{
    const struct memsys_request request = {
        .address = address, .virtual_address = address, .now = now, .size = 1, .bucket = &m->bucket[cpu]};
    return (unsigned)memsys_prepare_for_store(m->memsys, cpu, &request);
}

static struct memsys_entry look(struct machine *m, unsigned cpu, enum memsys_cache cache, paddr address)
{
    return memsys_look(m->memsys, cpu, cache, address);
}

static void mips32_pref_a_miss_allocates_the_whole_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    assert_true(memsys_prepares_for_store(m->memsys));
    assert_int_equal(prepare_at(m, 0, A + 7, 1000), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).dirty);
    assert_false(look(m, 0, MEMSYS_L1D, A).partial);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'M');
    assert_int_equal(store_at(m, 0, A, 1001), 0);
    assert_int_equal(load_at(m, 0, A + 12, 1002), 0);
    assert_int_equal(value(m, "cpu0.l1d.write_misses"), 0);
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 1);
    assert_int_equal(value(m, "memory.fills"), 0);
    assert_int_equal(charged(m, 0), 0);
    done(m);
}

static void mips32_pref_a_hit_takes_no_action(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL);
    load_at(m, 0, A, 1000);
    load_at(m, 0, A + L1_STRIDE, 1000);
    assert_int_equal(prepare_at(m, 0, A, 1100), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).dirty);
    assert_int_equal(look(m, 0, MEMSYS_L1D, A).order, 1); /* still the least recently used */
    assert_int_equal(value(m, "cpu0.l1d.allocations"), 0);
    done(m);
}

/* The victim's write-back, of 35 cycles, is all that a miss takes; through a buffer of one entry, which memory empties
 * in 100 cycles, it waits for a victim before: not from t + 100 on. */
static void mips32_pref_the_victim_takes_its_time(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE_LEVEL "cache.l1d.write_back_time=175");
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_int_equal(prepare_at(m, 0, A + L1_STRIDE, 1000), 0);
    assert_int_equal(prepare_at(m, 0, A + 2 * L1_STRIDE, 1000), 35);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(charged(m, 0), 35);
    done(m);
    for (cycles now = 4098; now <= 4101; now++) {
        m = machine(1, ONE_LEVEL "cache.l1d.write_buffer.depth=1");
        prepare_at(m, 0, A, 1000);
        prepare_at(m, 0, A + L1_STRIDE, 2000);
        assert_int_equal(prepare_at(m, 0, A + 2 * L1_STRIDE, 4000), 0);
        assert_int_equal(prepare_at(m, 0, A + 3 * L1_STRIDE, now), now < 4100 ? 4100 - (unsigned)now : 0);
        done(m);
    }
}

static void two_cpus(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL "memory.upgrade_time=300");
    store_at(m, 0, A, 1000);
    assert_int_equal(prepare_at(m, 1, A, 2000), 60);
    assert_int_equal(m->bucket[1].stall[STALL_UPGRADE], 60);
    assert_int_equal(m->bucket[1].miss[MISS_UPGRADE], 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    assert_int_equal(value(m, "cpu0.l1d.coherence_write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l1d.interventions"), 0);
    assert_int_equal(value(m, "cpu1.l1d.upgrades"), 1);
    assert_int_equal(store_at(m, 1, A, 2100), 0);
    assert_int_equal(load_at(m, 0, A, 3000), 100);
    assert_int_equal(value(m, "cpu1.l1d.interventions"), 1);
    done(m);
}

/* In an outer level with longer lines only the words of the inner line are valid. */
static void an_outer_level_gets_a_part_of_its_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, ALLOCATE "cache.l2.write_allocate=validate");
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_int_equal(load_at(m, 0, A + 12, 1001), 0);
    assert_true(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(value(m, "cpu0.l2.allocations"), 1);
    assert_int_equal(load_at(m, 0, A + 16, 1002), MEMORY);
    assert_false(look(m, 0, MEMSYS_L2, A).partial);
    assert_int_equal(prepare_at(m, 0, A + 32, 2000), 0);
    assert_int_equal(value(m, "cpu0.l2.allocations"), 1);
    done(m);
}

static void outer_lines_of_the_same_length_need_no_words(void **state)
{
    (void)state;
    struct machine *m = machine(1, ALLOCATE "cache.l2.line=16");
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_true(look(m, 0, MEMSYS_L2, A).dirty);
    assert_int_equal(load_at(m, 0, A + 4, 1001), 0);
    done(m);
}

static void the_default_is_a_prefetch(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    assert_false(memsys_prepares_for_store(m->memsys));
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    done(m);
    m = machine(1, "prefetch.data=on");
    assert_true(memsys_prepares_for_store(m->memsys));
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_true(look(m, 0, MEMSYS_L1D, A).valid);
    assert_false(look(m, 0, MEMSYS_L1D, A).dirty);
    assert_int_equal(value(m, "cpu0.prefetch.data.issued"), 1);
    assert_int_equal(store_at(m, 0, A, 1060), 40);
    done(m);
}

static void it_can_be_ignored(void **state)
{
    (void)state;
    struct machine *m = machine(1, "prefetch.data=on cache.l1d.prepare_for_store=ignore");
    assert_false(memsys_prepares_for_store(m->memsys));
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    assert_int_equal(value(m, "cpu0.prefetch.data.requests"), 0);
    done(m);
}

static void update_pages_ignore_it(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE_LEVEL "cache.protocol=firefly");
    assert_int_equal(prepare_at(m, 0, A, 1000), 0);
    assert_false(look(m, 0, MEMSYS_L1D, A).valid);
    done(m);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    refuses(ONE_LEVEL "cache.l1d.write=through",
            "cache.l1d.prepare_for_store is allocate: not possible with cache.l1d.write=through");
    refuses(ALLOCATE, "cache.l1d.prepare_for_store is allocate: needs cache.l2.write_allocate=validate, or "
                      "cache.l2.line=16 as cache.l1d");
    refuses(ALLOCATE "cache.l2.line=16 cache.l2.inclusive=off",
            "cache.l1d.prepare_for_store is allocate: needs cache.l2.inclusive=on");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mips32_pref_a_miss_allocates_the_whole_line),
        cmocka_unit_test(mips32_pref_a_hit_takes_no_action),
        cmocka_unit_test(mips32_pref_the_victim_takes_its_time),
        cmocka_unit_test(two_cpus),
        cmocka_unit_test(an_outer_level_gets_a_part_of_its_line),
        cmocka_unit_test(outer_lines_of_the_same_length_need_no_words),
        cmocka_unit_test(the_default_is_a_prefetch),
        cmocka_unit_test(it_can_be_ignored),
        cmocka_unit_test(update_pages_ignore_it),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
