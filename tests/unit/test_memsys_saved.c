/*
 * The contents of caches, saved and loaded: a loaded memory system does whatever the saved one does
 * (docs/checkpoints.md, "the same machine"), and no bytes in a file make it do anything that memsys_check does not
 * allow.
 */
#include "src/saved.h"
#include "tests/unit/memsys_fixture.h"
#include "tests/unit/tape.h"

enum { CPUS = 3, BEFORE = 20000, AFTER = 20000 };

static void save(struct machine *m, struct tape *tape)
{
    struct event_queue *queue = event_queue_create(200 * MHZ);
    struct saved *saved = saved_create(queue);
    struct saved_out out = {.put = tape_put, .opaque = tape};
    memsys_register_saved(m->memsys, saved);
    tape->size = tape->at = 0;
    saved_write(saved_at(saved, 1), &out);
    saved_free(saved);
    event_queue_free(queue);
}

static bool load_from(struct machine *m, struct tape *tape)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = 200 * MHZ};
    struct event_queue *queue = event_queue_create(200 * MHZ);
    struct saved *saved = saved_create(queue);
    struct saved_in in = {.get = tape_get, .opaque = tape};
    struct err err = {""};
    memsys_register_saved(m->memsys, saved);
    tape->at = 0;
    saved_load_begin(saved);
    bool done = saved_read(saved, saved_at(saved, 1), &in, &terms, &err) && tape->at == tape->size &&
                saved_load_end(saved, &terms, &err);
    saved_free(saved);
    event_queue_free(queue);
    return done;
}

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

/* Any access by any CPU, among few enough lines that they meet. */
static unsigned access_random(struct machine *m, uint64_t *seed)
{
    uint64_t dice = random_next(seed);
    paddr address = (paddr)(0x100000 + (dice >> 8) % 0x8000 * 4);
    if (dice % 50 == 0)
        memsys_dma_write(m->memsys, address, 64, 0);
    return access_as(m, (unsigned)(dice % CPUS), (enum memsys_access)(dice / 64 % 3), address);
}

static const char *const configurations[] = {
    "",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K",
    "cache.model=one-level cache.l1d.size=2K cache.l1d.ways=4 cache.l1d.replacement=plru cache.protocol=mesi",
    "cache.l1d.size=16K cache.l1d.ways=1 cache.l1d.index=virtual cache.l2.size=32K cache.l2.ways=4",
    "cache.l1.split=off cache.l1d.size=2K cache.l1d.ways=4 cache.l1d.replacement=random cache.l2.size=16K",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l2.ways=2 cache.l3.size=32K",
    "cache.protocol=firefly cache.l1d.size=1K cache.l2.size=8K cache.l2.hash=xor cache.l2.inclusive=off",
};
enum { CONFIGURATIONS = sizeof configurations / sizeof configurations[0] };

static void a_loaded_memory_system_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    struct tape tape = {0};
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        uint64_t seed = 1996 + i, same;
        struct machine *a = machine(CPUS, configurations[i]), *b = machine(CPUS, configurations[i]);
        for (unsigned n = 0; n < BEFORE; n++)
            access_random(a, &seed);
        save(a, &tape);
        assert_true(load_from(b, &tape));
        memcpy(b->bucket, a->bucket, sizeof a->bucket);
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            assert_true(memsys_is_same(a->memsys, b->memsys, cpu));
        same = seed;
        for (unsigned n = 0; n < AFTER; n++)
            assert_int_equal(access_random(a, &seed), access_random(b, &same));
        for (size_t n = 0; stats_name_at(a->stats, n); n++)
            assert_true(stats_value_at(a->stats, n) == stats_value_at(b->stats, n));
        done(a);
        done(b);
    }
    tape_release(&tape);
}

/* Saved twice, loaded once: the same bytes. */
static void a_loaded_one_is_saved_as_the_same(void **state)
{
    (void)state;
    struct tape tape = {0}, again = {0};
    uint64_t seed = 1998;
    struct machine *a = machine(CPUS, configurations[1]), *b = machine(CPUS, configurations[1]);
    for (unsigned n = 0; n < BEFORE; n++)
        access_random(a, &seed);
    save(a, &tape);
    assert_true(load_from(b, &tape));
    save(b, &again);
    assert_int_equal(tape.size, again.size);
    assert_memory_equal(tape.bytes, again.bytes, tape.size);
    done(a);
    done(b);
    tape_release(&tape);
    tape_release(&again);
}

/* Bytes changed anywhere: refused, or a memory system whose invariants hold (done() checks them) and which goes on. */
static void damage_is_refused_or_keeps_the_invariants(void **state)
{
    (void)state;
    struct tape whole = {0}, tape = {0};
    unsigned refused = 0;
    enum { TRIES = 300 };
    for (unsigned try = 0; try < TRIES; try++) {
        const char *configuration = configurations[1 + try % (CONFIGURATIONS - 1)];
        uint64_t seed = try + 1;
        struct machine *a = machine(CPUS, configuration), *b = machine(CPUS, configuration);
        for (unsigned n = 0; n < 3000; n++)
            access_random(a, &seed);
        save(a, &whole);
        tape.size = 0;
        tape_put(&tape, whole.bytes, whole.size);
        for (unsigned n = 0; n <= try % 3; n++)
            tape.bytes[random_next(&seed) % tape.size] ^= (uint8_t)(1 << random_next(&seed) % 8);
        if (try % 10 == 0)
            tape.size = random_next(&seed) % tape.size;
        bool taken = load_from(b, &tape);
        refused += !taken;
        for (unsigned n = 0; taken && n < 3000; n++)
            access_random(b, &seed);
        done(a);
        if (taken)
            done(b);
        else
            stats_free(b->stats), memsys_free(b->memsys), free(b);
    }
    assert_in_range(refused, TRIES / 10, TRIES);
    tape_release(&whole);
    tape_release(&tape);
}

static void what_cannot_be_saved_says_so(void **state)
{
    (void)state;
    static const char *const not [] = {"cache.l1d.write_buffer.depth=4", "cache.classify=replacement",
                                       "prefetch.stream.buffers=2", "block.engine=on"};
    for (size_t i = 0; i < sizeof not / sizeof not [0]; i++) {
        struct machine *m = machine(1, not [i]);
        assert_false(memsys_can_save(m->memsys));
        done(m);
    }
    struct machine *m = machine(1, ""), *flat = machine(1, "cache.model=none");
    assert_true(memsys_can_save(m->memsys) && memsys_can_save(flat->memsys));
    done(m);
    done(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_memory_system_goes_on_as_the_saved_one),
        cmocka_unit_test(a_loaded_one_is_saved_as_the_same),
        cmocka_unit_test(damage_is_refused_or_keeps_the_invariants),
        cmocka_unit_test(what_cannot_be_saved_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
