/* mxs: throughput of independent instructions is that of the narrowest of fetch, issue, graduation and units. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

enum { LENGTH = 900 };

/* Eight chains of one instruction each, interleaved. */
static cycles cycles_of_400(uint32_t (*instruction)(unsigned), const char *first, const char *second, const char *third)
{
    uint32_t words[LENGTH];
    for (unsigned i = 0; i < LENGTH; i++)
        words[i] = instruction(T0 + i % 8);
    struct machine *machine = BENCH("cache.model=none", first, second, third);
    start_program(machine, 0, words, LENGTH);
    cycles time = bench_between(machine, 400, 800);
    machine_free(machine);
    return time;
}

static uint32_t add(unsigned number)
{
    return ADDIU(number, number, 1);
}

static uint32_t shift(unsigned number)
{
    return SLL(number, number, 1);
}

static uint32_t multiply(unsigned number)
{
    return MUL(number, number, number);
}

#define W(n) "mxs.fetch_width=" #n, "mxs.issue_width=" #n, "mxs.graduate_width=" #n

/* 400 instructions, n per cycle: eight chains of latency 1. */
static void widths(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_400(add, W(1)), 400);
    assert_int_equal(cycles_of_400(add, W(2)), 200);
    assert_int_equal(cycles_of_400(add, W(4)), 100);
    assert_int_equal(cycles_of_400(add, W(8)), 50);
}

static void the_narrowest_decides(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_400(add, "mxs.fetch_width=2", "mxs.issue_width=4", "mxs.graduate_width=4"), 200);
    assert_int_equal(cycles_of_400(add, "mxs.fetch_width=4", "mxs.issue_width=2", "mxs.graduate_width=4"), 200);
    assert_int_equal(cycles_of_400(add, "mxs.fetch_width=4", "mxs.issue_width=4", "mxs.graduate_width=2"), 200);
}

/* "MXS can execute any four instructions per cycle including four shift instructions" (section 3.3); the R10000 has one
 * shifter. */
static void units(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_400(shift, W(4)), 100);
    assert_int_equal(cycles_of_400(shift, "mxs.units.shift=1", "mxs.window=64", "mxs.branches=4"), 400);
    assert_int_equal(cycles_of_400(shift, "mxs.units.shift=2", "mxs.window=64", "mxs.branches=4"), 200);
    assert_int_equal(cycles_of_400(add, "mxs.units.shift=1", "mxs.window=64", "mxs.branches=4"), 100);
    /* a multiplier is busy for the 6 cycles of a multiplication */
    assert_int_equal(cycles_of_400(multiply, "mxs.units.multiply=1", "mxs.window=64", "mxs.branches=4"), 2400);
}

/* 400 multiplications in eight chains: 50 each, 6 cycles apart. */
static void latencies_overlap(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_400(multiply, W(4)), 300);
}

/* A window of two holds an instruction from its fetch in f to its graduation in f + 3, and the slot is reused in that
 * cycle: two instructions per 3 cycles. */
static void a_small_window(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_400(add, "mxs.window=2", "mxs.branches=4", "mxs.predictor=16"), 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths), cmocka_unit_test(the_narrowest_decides),
                                       cmocka_unit_test(units), cmocka_unit_test(latencies_overlap),
                                       cmocka_unit_test(a_small_window)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
