/* mxs: the misses of independent loads overlap, up to the number of MSHRs. "Both the level-1 and level-2 caches are
 * non-blocking and support up to four outstanding misses" (SOSP'95 section 3.3). */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

/* An iteration of four instructions is fetched per cycle, so loads could issue one per cycle. N of them are in flight
 * for 60 cycles each: N per 60 cycles. 48 loads. */
static cycles cycles_of_48(const char *l1, const char *l2, unsigned stride)
{
    const uint32_t words[] = {LUI(T0, DATA_HIGH), LW(T2, 0, T0), ADDIU(T0, T0, stride), BNE(T0, ZERO, -3), NOP};
    struct machine *machine = BENCH(CACHES_1996, l1, l2);
    start_program(machine, 0, words, 5);
    const uint64_t from = 1 + 4 * 48;
    const cycles time = bench_between(machine, from, from + 4 * 48);
    machine_free(machine);
    return time;
}

static void four_overlap(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=4", "cache.l2.outstanding=4", 4096 + 128), 48 * 60 / 4);
}

static void as_many_as_registers(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=1", "cache.l2.outstanding=4", 4096 + 128), 48 * 60);
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=2", "cache.l2.outstanding=4", 4096 + 128), 48 * 60 / 2);
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=8", "cache.l2.outstanding=8", 4096 + 128), 48 * 60 / 8);
}

/* The MSHRs of the second level are a limit as well. */
static void the_second_level(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=8", "cache.l2.outstanding=3", 4096 + 128), 48 * 60 / 3);
}

/* Four 32-byte lines make one second-level line: the first of the four goes to memory, the others merge with it, but
 * each takes a first-level MSHR. With four of these, one line of 128 bytes at a time: 12 lines. */
static void lines_of_one_line(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_48("cache.l1d.outstanding=4", "cache.l2.outstanding=4", 32), 12 * 60);
}

/* Loads of a line in flight merge (secondary misses): one MSHR, a line of eight words every 60 cycles, four lines at a
 * time. */
static void joining(void **state)
{
    (void)state;
    const cycles time = cycles_of_48("cache.l1d.outstanding=1", "cache.l2.outstanding=1", 16);
    assert_int_equal(time, 24 * 60 / 4 + 24 * 3 / 4 * 10);
}

/* Two loads of each line. MSHRs of two targets take both, so four lines are in flight, a second-level line at a time.
 * With one target the second load finds none, and the cache blocks until the line arrives: as with one MSHR, above. In
 * the second level four first-level lines merge with the miss of one of 128 bytes. Two loads a cycle (cache.l1d.ports).
 */
static void targets(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_48("cache.l1d.targets=0", "cache.l2.targets=0", 16), 24 * 60 / 4);
    assert_int_equal(cycles_of_48("cache.l1d.targets=2", "cache.l2.targets=4", 16), 24 * 60 / 4);
    assert_int_equal(cycles_of_48("cache.l1d.targets=1", "cache.l2.targets=4", 16), 24 * 60 / 4 + 24 * 3 / 4 * 10);
    /* the other six loads of 128 bytes wait for the line, then two a cycle, and the next line's miss behind them */
    assert_int_equal(cycles_of_48("cache.l1d.targets=2", "cache.l2.targets=1", 16), 24 / 4 * (60 + 6 / 2));
}

/* Cycles with a miss of the last level outstanding, with two or more, and of all one after another, of 48 loads that
 * miss by 60 cycles each, after the program's own line. */
static void check_outstanding(const char *l1, const char *l2, cycles any, cycles several)
{
    const uint32_t words[] = {LUI(T0, DATA_HIGH), LW(T2, 0, T0), ADDIU(T0, T0, 4096 + 128), BNE(T0, ZERO, -3), NOP};
    struct machine *machine = BENCH(CACHES_1996, l1, l2);
    start_program(machine, 0, words, 5);
    while (bench_value(machine, "cpu0.mode.kernel.miss.l2_data") < 48)
        bench_graduates(machine, machine->cores[0]->s.insns + 1);
    assert_int_equal(bench_value(machine, "cpu0.mode.kernel.miss.l2_insn"), 1);
    assert_int_equal(bench_value(machine, "cpu0.mxs.outstanding.kernel.any"), 60 + any);
    assert_int_equal(bench_value(machine, "cpu0.mxs.outstanding.kernel.several"), several);
    assert_int_equal(bench_value(machine, "cpu0.mxs.outstanding.kernel.total"), 60 + 48 * 60);
    assert_int_equal(bench_value(machine, "cpu0.mxs.outstanding.user.any"), 0);
    machine_free(machine);
}

static void outstanding_together(void **state)
{
    (void)state;
    check_outstanding("cache.l1d.outstanding=1", "cache.l2.outstanding=4", 48 * 60, 0);
    /* The first branch is mispredicted, so four begin in cycles 0, 5, 6 and 7 of each 60. */
    check_outstanding("cache.l1d.outstanding=4", "cache.l2.outstanding=4", 48 / 4 * 60 + 7, 48 / 4 * 60 + 6 - 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_overlap),
                                       cmocka_unit_test(as_many_as_registers),
                                       cmocka_unit_test(the_second_level),
                                       cmocka_unit_test(lines_of_one_line),
                                       cmocka_unit_test(joining),
                                       cmocka_unit_test(targets),
                                       cmocka_unit_test(outstanding_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
