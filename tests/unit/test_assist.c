/* The assist cache (cache.l1d.assist): a few fully associative lines beside the first-level data cache. */
#include "timing_machine.h"

/* 1 KB, one way, lines of 16 bytes: 64 sets; addresses SIZE apart conflict. */
#define SMALL "cache.model=one-level cache.l1d.size=1K cache.l1d.ways=1 cache.l1d.line=16 "
enum { SIZE = 0x400, LINE = 16, SETS = 64 };

static unsigned hits(struct machine *m)
{
    return value(m, "cpu0.l1d.assist_hits");
}

static unsigned moved(struct machine *m)
{
    return value(m, "cpu0.l1d.assist_moved");
}

static unsigned dropped(struct machine *m)
{
    return value(m, "cpu0.l1d.assist_dropped");
}

/* The line in ENTRY of the data cache (from SETS on: the slots of the assist cache), or 0. */
static paddr line_in(struct machine *m, uint32_t entry)
{
    const struct memsys_entry e = memsys_entry_at(m->memsys, 0, MEMSYS_L1D, entry);
    return e.valid ? e.line : 0;
}

static bool holds(struct machine *m, paddr address)
{
    return memsys_look(m->memsys, 0, MEMSYS_L1D, address).valid;
}

/* PREF with hint 4 or 5. */
static void hint(struct machine *m, paddr address)
{
    const struct memsys_request request = {
        .address = address, .virtual_address = address, .size = 1, .bucket = &m->bucket[0]};
    memsys_prefetch_streamed(m->memsys, 0, &request);
}

/* Loads COUNT lines of other sets than set 0, each for the first time. */
static void load_others(struct machine *m, unsigned count)
{
    static paddr next;
    for (; count > 0; count--) {
        next += LINE;
        if (next % SIZE == 0)
            next += LINE;
        load(m, 0, 0x01000000 + next);
    }
}

static void conflicting_lines_stay(void **state)
{
    (void)state;
    for (unsigned assist = 0; assist <= 4; assist += 4) {
        char settings[128];
        snprintf(settings, sizeof settings, SMALL "cache.l1d.assist=%u", assist);
        struct machine *m = machine(1, settings);
        for (unsigned i = 0; i < 10; i++) {
            load(m, 0, A);
            load(m, 0, A + SIZE);
        }
        assert_int_equal(value(m, "cpu0.l1d.read_misses"), assist ? 2 : 20);
        if (assist)
            assert_int_equal(hits(m), 18);
        done(m);
    }
}

/* 64 lines fill the assist cache; the next ones push them out, first in, first out, however they were used. */
static void first_in_first_out(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=64");
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(load(m, 0, A + i * LINE), MEMORY);
    assert_int_equal(moved(m), 0);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(line_in(m, i), 0);
        assert_int_equal(line_in(m, SETS + i), A + i * LINE);
    }
    assert_int_equal(load(m, 0, A), 0);
    assert_int_equal(hits(m), 1);
    for (unsigned i = 0; i < 3; i++) {
        load(m, 0, A + SIZE + i * LINE);
        assert_int_equal(moved(m), i + 1);
        assert_int_equal(line_in(m, i), A + i * LINE);
        assert_int_equal(line_in(m, SETS + i), A + SIZE + i * LINE);
    }
    assert_int_equal(load(m, 0, A), 0); /* in its set */
    assert_int_equal(hits(m), 1);
    done(m);
}

/* A modified line stays so when it moves; its set's line is evicted and written back, once. */
static void a_moved_line_evicts_one_of_its_set(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=2");
    store(m, 0, A);
    load_others(m, 2);
    assert_int_equal(line_in(m, 0), A);
    assert_true(memsys_look(m->memsys, 0, MEMSYS_L1D, A).dirty);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    load(m, 0, A + SIZE);
    load_others(m, 2);
    assert_int_equal(line_in(m, 0), A + SIZE);
    assert_false(holds(m, A));
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'I');
    done(m);
}

/* The write-back takes the time that it takes without an assist cache (20 cycles). */
static void its_write_back_takes_time(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=1 cache.l1d.write_back_time=100ns");
    store_at(m, 0, A, 0);
    assert_int_equal(load_at(m, 0, A + SIZE, 1000), MEMORY);          /* A moves into an empty set */
    assert_int_equal(load_at(m, 0, A + 2 * SIZE, 2000), MEMORY + 20); /* A + SIZE evicts A */
    done(m);
}

static void streamed_lines_bypass_the_sets(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=4");
    load(m, 0, A);
    load_others(m, 4);
    assert_int_equal(line_in(m, 0), A);
    hint(m, A + SIZE); /* before it is brought in */
    store(m, 0, A + SIZE);
    load(m, 0, A + 2 * SIZE);
    hint(m, A + 2 * SIZE); /* while it is in the assist cache */
    assert_int_equal(value(m, "memory.write_backs"), 0);
    const unsigned before = moved(m);
    load_others(m, 4);
    assert_int_equal(dropped(m), 2);
    assert_int_equal(moved(m), before + 2);
    assert_int_equal(line_in(m, 0), A);
    assert_false(holds(m, A + SIZE));
    assert_false(holds(m, A + 2 * SIZE));
    assert_int_equal(value(m, "memory.write_backs"), 1);
    hint(m, A); /* in its set: no effect */
    load_others(m, 5);
    assert_true(holds(m, A));
    load(m, 0, A + SIZE); /* the hint was for once */
    load_others(m, 4);
    assert_int_equal(dropped(m), 2);
    assert_int_equal(line_in(m, 0), A + SIZE);
    done(m);
}

/* As many hints are remembered as there are lines. */
static void older_hints_are_forgotten(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=2");
    for (unsigned i = 0; i < 3; i++)
        hint(m, A + i * LINE);
    hint(m, A + 2 * LINE); /* again: not counted */
    for (unsigned i = 0; i < 3; i++)
        load(m, 0, A + i * LINE);
    load_others(m, 2);
    assert_int_equal(dropped(m), 2);
    assert_true(holds(m, A));
    assert_false(holds(m, A + LINE));
    assert_false(holds(m, A + 2 * LINE));
    done(m);
}

/* Coherence, DMA and the CACHE instruction find the lines. */
static void is_part_of_the_first_level(void **state)
{
    (void)state;
    struct machine *m = machine(2, SMALL "cache.l1d.assist=4");
    store(m, 0, A);
    load(m, 1, A);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    assert_int_equal(value(m, "cpu0.l1d.interventions"), 1);
    store(m, 1, A);
    assert_false(holds(m, A));
    store(m, 0, A);
    memsys_dma_write(m->memsys, A, LINE, 0);
    assert_false(holds(m, A));
    store(m, 0, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, A);
    assert_true(holds(m, A) && !memsys_look(m->memsys, 0, MEMSYS_L1D, A).dirty);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, A + LINE); /* another set */
    assert_true(holds(m, A));
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_INDEX_INVALIDATE, A + SIZE);
    assert_false(holds(m, A));
    store(m, 0, A);
    cache_op(m, 0, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A);
    assert_false(holds(m, A));
    done(m);
}

static void is_inside_an_inclusive_second_level(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.assist=4");
    store(m, 0, A);
    load(m, 0, A + L2_STRIDE);
    assert_false(holds(m, A));
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

/* Only lines in sets get permissions; one that moves in becomes the most recently used of its set. */
static void permissions(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=one-level cache.l1d.size=2K cache.l1d.ways=2 cache.l1d.assist=1");
    store(m, 0, A);
    assert_int_equal(m->permission, PERMIT_NONE);
    store(m, 0, A);
    assert_int_equal(m->permission, PERMIT_NONE);
    load(m, 0, A + SIZE); /* A moves */
    store(m, 0, A);
    assert_int_equal(m->permission, PERMIT_READ_STORE);
    load_others(m, 1); /* A + SIZE moves, into the same set */
    assert_int_equal(m->permission, PERMIT_NONE);
    struct memsys_entry first = memsys_look(m->memsys, 0, MEMSYS_L1D, A + SIZE);
    assert_int_equal(first.order, 0);
    done(m);
}

/* The mark of a prefetched line moves with it. */
static void a_prefetched_line_may_move_before_it_is_used(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=2 prefetch.data=on");
    const struct memsys_request request = {.address = A, .virtual_address = A, .size = 4, .bucket = &m->bucket[0]};
    memsys_prefetch(m->memsys, 0, &request);
    assert_true(holds(m, A));
    load_others(m, 2);
    assert_int_equal(line_in(m, 0), A);
    assert_int_equal(load_at(m, 0, A, 1000), 0);
    assert_int_equal(value(m, "cpu0.prefetch.data.useful"), 1);
    hint(m, A + SIZE); /* brings the line, too */
    assert_true(holds(m, A + SIZE));
    assert_int_equal(load_at(m, 0, A + SIZE, 2000), 0);
    assert_int_equal(value(m, "cpu0.prefetch.data.useful"), 2);
    load_others(m, 2);
    assert_int_equal(dropped(m), 1);
    assert_false(holds(m, A + SIZE));
    done(m);
}

static void a_flush_empties_it(void **state)
{
    (void)state;
    struct machine *m = machine(1, SMALL "cache.l1d.assist=2");
    hint(m, A);
    load(m, 0, A + LINE);
    memsys_flush(m->memsys);
    assert_false(holds(m, A + LINE));
    load(m, 0, A);
    assert_int_equal(line_in(m, SETS), A);
    load_others(m, 2);
    assert_int_equal(dropped(m), 0);
    done(m);
}

static void what_is_not_possible_is_named(void **state)
{
    (void)state;
    static const char *const settings[] = {"cache.l1.split=off", "cache.l1d.write_allocate=validate"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char text[256], expected[128];
        struct err err = {""};
        snprintf(text, sizeof text, SMALL "cache.l1d.assist=4 %s", settings[i]);
        snprintf(expected, sizeof expected, "cache.l1d.assist is 4: not possible with %s", settings[i]);
        struct params *params = make_params(text);
        assert_null(memsys_create(params, 1, 200 * MHZ, &err));
        assert_string_equal(err.text, expected);
        params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conflicting_lines_stay),
        cmocka_unit_test(first_in_first_out),
        cmocka_unit_test(a_moved_line_evicts_one_of_its_set),
        cmocka_unit_test(its_write_back_takes_time),
        cmocka_unit_test(streamed_lines_bypass_the_sets),
        cmocka_unit_test(older_hints_are_forgotten),
        cmocka_unit_test(is_part_of_the_first_level),
        cmocka_unit_test(is_inside_an_inclusive_second_level),
        cmocka_unit_test(permissions),
        cmocka_unit_test(a_prefetched_line_may_move_before_it_is_used),
        cmocka_unit_test(a_flush_empties_it),
        cmocka_unit_test(what_is_not_possible_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
