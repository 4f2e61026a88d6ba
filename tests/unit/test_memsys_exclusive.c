/* Exclusive levels (cache.X.exclusive): they have what the level inside has evicted, and give up what they supply. With
 * known answers; random machines are in test_memsys_shared.c. */
#include "tests/unit/memsys_fixture.h"

/* One set: the first level's two ways, and four behind them. Hit 10 cycles, memory 100. */
#define LEVELS                                                                                                         \
    "cache.l1i.size=256 cache.l1i.line=128 cache.l1d.size=256 cache.l1d.line=128 cache.l2.size=4K cache.l2.line=128 "  \
    "cache.l2.ways=4 cache.l2.inclusive=off "
#define EXCLUSIVE LEVELS "cache.l2.exclusive=on "
enum { APART = 1024, FIRST_WAYS = 2, WAYS = 4 };

static paddr line(unsigned n)
{
    return A + n * APART;
}

static unsigned load_lines(struct machine *m, unsigned cpu, unsigned count)
{
    unsigned stalls = 0;
    for (unsigned n = 0; n < count; n++)
        stalls += load(m, cpu, line(n));
    return stalls;
}

static bool has(struct machine *m, unsigned cpu, enum memsys_cache cache, unsigned n)
{
    return memsys_look(m->memsys, cpu, cache, line(n)).valid;
}

static bool has_dirty(struct machine *m, unsigned cpu, enum memsys_cache cache, unsigned n)
{
    return memsys_look(m->memsys, cpu, cache, line(n)).dirty;
}

/* Both levels together hold as many lines as they have ways: with LRU six lines in turn miss memory once each if the
 * second level is exclusive, and always if it holds the first level's lines, too. */
static void the_capacities_add_up(void **state)
{
    enum { LINES = FIRST_WAYS + WAYS, ROUNDS = 5 };
    (void)state;
    for (unsigned exclusive = 0; exclusive < 2; exclusive++) {
        struct machine *m = machine(1, exclusive ? EXCLUSIVE : LEVELS);
        assert_int_equal(load_lines(m, 0, LINES), LINES * MEMORY);
        for (unsigned round = 1; round < ROUNDS; round++)
            assert_int_equal(load_lines(m, 0, LINES), LINES * (exclusive ? L2_HIT : MEMORY));
        assert_int_equal(value(m, "memory.fills"), exclusive ? LINES : LINES * ROUNDS);
        done(m);
    }
}

/* A hit swaps: the line leaves the second level, where the first level's victim gets its way. */
static void a_hit_swaps_two_lines(void **state)
{
    (void)state;
    struct machine *m = machine(1, EXCLUSIVE);
    load_lines(m, 0, FIRST_WAYS);
    assert_false(has(m, 0, MEMSYS_L2, 0)); /* memory's lines pass the second level */
    load(m, 0, line(2));
    assert_true(has(m, 0, MEMSYS_L2, 0));
    assert_int_equal(load(m, 0, line(0)), L2_HIT);
    assert_false(has(m, 0, MEMSYS_L2, 0));
    assert_true(has(m, 0, MEMSYS_L1D, 0) && has(m, 0, MEMSYS_L2, 1) && has(m, 0, MEMSYS_L1D, 2));
    done(m);
}

/* A modified line moves as it is, outwards and back, and memory sees it when the second level evicts it. */
static void a_modified_line_moves_modified(void **state)
{
    (void)state;
    struct machine *m = machine(1, EXCLUSIVE);
    store(m, 0, line(0));
    load(m, 0, line(1));
    load(m, 0, line(2));
    assert_true(has_dirty(m, 0, MEMSYS_L2, 0));
    assert_int_equal(value(m, "cpu0.l1d.write_backs"), 1);
    assert_int_equal(load(m, 0, line(0)), L2_HIT);
    assert_true(has_dirty(m, 0, MEMSYS_L1D, 0));
    assert_int_equal(store(m, 0, line(0)), 0); /* it is still this CPU's */
    assert_int_equal(value(m, "memory.write_backs"), 0);
    for (unsigned n = 1; n < 1 + FIRST_WAYS + WAYS; n++)
        load(m, 0, line(n));
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

/* An instruction cache gets a copy of a modified line, which stays. */
static void a_fetch_leaves_a_modified_line(void **state)
{
    (void)state;
    struct machine *m = machine(1, EXCLUSIVE);
    store(m, 0, line(0));
    load(m, 0, line(1));
    load(m, 0, line(2));
    assert_int_equal(fetch(m, 0, line(0)), L2_HIT);
    assert_true(has_dirty(m, 0, MEMSYS_L2, 0) && has(m, 0, MEMSYS_L1I, 0));
    assert_false(has_dirty(m, 0, MEMSYS_L1I, 0));
    done(m);
}

/* A shared one: what others inside share clean, and it has modified, stays there. */
static void a_shared_one_keeps_what_others_share(void **state)
{
    (void)state;
    struct machine *m = machine(2, EXCLUSIVE "cache.l2.shared=2");
    store(m, 0, line(0));
    load(m, 0, line(1));
    load(m, 0, line(2));
    assert_int_equal(load(m, 1, line(0)), L2_HIT); /* nobody else has it: it moves, modified */
    assert_true(has_dirty(m, 1, MEMSYS_L1D, 0));
    assert_int_equal(memsys_state(m->memsys, 1, line(0)), 'M');
    assert_int_equal(load(m, 0, line(0)), L2_HIT); /* from CPU 1, by way of the second level, which does not keep it */
    assert_int_equal(value(m, "cpu1.l1d.interventions"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    done(m);
}

/* A line that an inner cache lost is missing from the exclusive level for the same reason. */
static void misses_have_the_class_of_the_level_inside(void **state)
{
    (void)state;
    struct machine *m = machine(2, EXCLUSIVE "cache.classify=sharing");
    load(m, 0, line(0));
    store(m, 1, line(0));
    load(m, 0, line(0));
    assert_int_equal(value(m, "cpu0.l1d.miss.kernel.true_sharing"), 1);
    assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.true_sharing"), 1);
    assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.cold"), 1);
    done(m);
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *settings, *message;
    } cases[] = {
        {"cache.l2.exclusive=on", "cache.l2.exclusive is on: needs cache.l2.inclusive=off"},
        {"cache.l2.exclusive=on cache.l2.inclusive=off cache.l1i.line=128",
         "cache.l2.exclusive is on: needs cache.l2.line=16 as cache.l1d"},
        {EXCLUSIVE "cache.l2.sector_lines=2", "cache.l2.exclusive is on: needs cache.l2.sector_lines=1"},
        {EXCLUSIVE "cache.l1d.write=through", "cache.l2.exclusive is on: needs cache.l1d.write=back"},
        {EXCLUSIVE "cache.protocol=firefly",
         "cache.l2.exclusive is on: not possible with the update protocol (firefly)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct params *params = make_params(cases[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 2, 200 * MHZ, &err));
        assert_string_equal(err.text, cases[i].message);
        params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_capacities_add_up),
        cmocka_unit_test(a_hit_swaps_two_lines),
        cmocka_unit_test(a_modified_line_moves_modified),
        cmocka_unit_test(a_fetch_leaves_a_modified_line),
        cmocka_unit_test(a_shared_one_keeps_what_others_share),
        cmocka_unit_test(misses_have_the_class_of_the_level_inside),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
