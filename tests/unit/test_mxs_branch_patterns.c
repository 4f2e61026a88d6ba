/* mxs: two-bit branch predictors, and the misprediction penalty. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

static double mispredicted(struct machine *machine)
{
    return bench_value(machine, "cpu0.mxs.branches_mispredicted");
}

/* Alternately taken and not taken: the counter goes from 1 (not taken) to 2 and back, and mispredicts each time. An
 * iteration is 5 instructions: T0 changes in the first, and the branch, the third, depends on it. It issues in i, one
 * cycle after the first; it completes, mispredicted, in i + 1; fetch resumes in i + 2 with the instruction after the
 * slot, the loop's jump. The jump and its slot end a fetch group: the next iteration is fetched in i + 3, its first
 * instruction issues in i + 5, its branch in i + 6. */
static void alternating(void **state)
{
    (void)state;
    const uint32_t words[] = {XORI(T0, T0, 1), BNE(T0, ZERO, 1), NOP, BRANCH_BACK(3), NOP};
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 5);
    bench_graduates(machine, 500);
    const double before = mispredicted(machine);
    const cycles time = bench_between(machine, 500, 1000);
    assert_true(mispredicted(machine) - before >= 99 && mispredicted(machine) - before <= 101);
    assert_int_equal(time, 100 * 6);
    machine_free(machine);
}

/* Always taken: predicted from the second time on. An iteration of 4 instructions, whose counter is a chain of latency
 * 1, is fetched in one cycle: one iteration per cycle. */
static void a_loop(void **state)
{
    (void)state;
    const uint32_t words[] = {ORI(T1, ZERO, 60000), ADDIU(T1, T1, -1), ADDU(T2, T3, T4), BNE(T1, ZERO, -3), NOP};
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 5);
    bench_graduates(machine, 101);
    const double before = mispredicted(machine);
    assert_int_equal(bench_between(machine, 401, 801), 100);
    assert_int_equal(mispredicted(machine) - before, 0);
    machine_free(machine);
}

/* An inner loop of four iterations: its branch is taken three times and not taken once, which the counter, then at 3,
 * mispredicts once: 1 of 4. */
static void an_inner_loop(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDIU(T1, ZERO, 4), ADDIU(T1, T1, -1), BNE(T1, ZERO, -2), NOP, BRANCH_BACK(4), NOP};
    enum { INSNS = 1 + 4 * 3 + 2 };
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 6);
    bench_graduates(machine, 10 * INSNS);
    const double before = mispredicted(machine);
    bench_graduates(machine, 110 * INSNS);
    assert_int_equal(mispredicted(machine) - before, 100);
    machine_free(machine);
}

/* Returns from one function to two callers. The return stack always predicts correctly; without it the last target is
 * always wrong; without both, fetch stalls. */
static void returns(void **state)
{
    (void)state;
    const uint32_t words[] = {
        JAL(PROGRAM_PC + 32), NOP, JAL(PROGRAM_PC + 32), NOP, BRANCH_BACK(4), NOP, NOP, NOP, JR(RA), NOP};
    enum { INSNS = 10 };
    static const char *const kinds[][2] = {{"mxs.return_stack=8", "mxs.indirect_targets=0"},
                                           {"mxs.return_stack=0", "mxs.indirect_targets=64"},
                                           {"mxs.return_stack=0", "mxs.indirect_targets=0"}};
    static const unsigned wrong[] = {0, 200, 0};
    cycles time[3];
    for (unsigned i = 0; i < 3; i++) {
        struct machine *machine = BENCH("cache.model=none", kinds[i][0], kinds[i][1]);
        start_program(machine, 0, words, 10);
        bench_graduates(machine, 100 * INSNS);
        const double before = bench_value(machine, "cpu0.mxs.jumps_mispredicted");
        time[i] = bench_between(machine, 100 * INSNS, 200 * INSNS);
        assert_int_equal(bench_value(machine, "cpu0.mxs.jumps_mispredicted") - before, wrong[i]);
        machine_free(machine);
    }
    /* Five groups: two calls with their slots, two returns, the loop's jump. */
    assert_int_equal(time[0], 500);
    /* A return fetched in f issues in f + 2, or when its address is available: that is the call's result, complete in f
     * - 1 + 3. Completed in f + 3, fetch resumes in f + 4 instead of f + 1: 3 cycles more, twice. */
    assert_int_equal(time[1], 500 + 200 * 3);
    assert_int_equal(time[2], 500 + 200 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alternating), cmocka_unit_test(a_loop),
                                       cmocka_unit_test(an_inner_loop), cmocka_unit_test(returns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
