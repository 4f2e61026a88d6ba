/* mxs: dependent instructions execute one latency apart, whatever the width of the machine. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

enum { LENGTH = 400 };

static cycles cycles_of_100(uint32_t instruction, const char *width)
{
    uint32_t words[LENGTH];
    bench_repeat(words, LENGTH, &instruction, 1);
    struct machine *machine = BENCH("cache.model=none", width);
    start_program(machine, 0, words, LENGTH);
    cycles time = bench_between(machine, 100, 200);
    machine_free(machine);
    return time;
}

/* Latency 1: instruction n issues in cycle n + 2 and graduates in n + 3. */
static void additions(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_100(ADDIU(T0, T0, 1), "mxs.graduate_width=4"), 100);
    assert_int_equal(cycles_of_100(ADDIU(T0, T0, 1), "mxs.issue_width=8"), 100);
}

/* Fetched in cycle 0 with three others: issues in 2, graduates in 3. */
static void the_first_instruction(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDIU(T0, T0, 1), ADDIU(T0, T0, 1), ADDIU(T0, T0, 1), BRANCH_BACK(0), NOP};
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 5);
    assert_int_equal(bench_graduates(machine, 1), 3);
    assert_int_equal(bench_graduates(machine, 2), 4);
    assert_int_equal(bench_graduates(machine, 3), 5);
    machine_free(machine);
}

/* R10000 User's Manual: latency 6 for a multiplication; a parameter. */
static void multiplications(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_100(MUL(T0, T0, T0), "mxs.graduate_width=4"), 600);
    assert_int_equal(cycles_of_100(MUL(T0, T0, T0), "mxs.latency.multiply=9"), 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(additions), cmocka_unit_test(the_first_instruction),
                                       cmocka_unit_test(multiplications)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
