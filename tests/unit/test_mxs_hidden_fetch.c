/* mxs: "next generation processors overlap instruction cache miss latency with the latency of data cache misses while
 * statically-scheduled processors must suffer these misses serially" (SOSP'95 section 4.3). */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

/* Two second-level lines of code, 128 bytes each; the first ends with a load or, alternatively, an addition. Both the
 * load and the second line miss in both levels: 60 cycles each. */
enum { LINE_INSNS = 32 };

static cycles second_line_graduates(const char *model, bool misses)
{
    uint32_t words[3 * LINE_INSNS] = {0};
    words[0] = LUI(A0, DATA_HIGH);
    words[LINE_INSNS - 1] = misses ? LW(T0, 0, A0) : ADDIU(T0, ZERO, 1);
    words[LINE_INSNS] = ADDIU(T1, ZERO, 1);
    struct machine *machine = MACHINE_OF(model, "machine.memory=16M", CACHES_1996);
    start_program(machine, 0, words, 3 * LINE_INSNS);
    const cycles from = bench_graduates(machine, LINE_INSNS - 1);
    const cycles time = bench_graduates(machine, LINE_INSNS + 1) - from;
    machine_free(machine);
    return time;
}

/* In order: the load's cycle and its 60, then the fetch's 60 and the cycle of that instruction. */
static void in_order(void **state)
{
    (void)state;
    assert_int_equal(second_line_graduates("cpu.model=mipsy", true), 60 + 1 + 60 + 1);
    assert_int_equal(second_line_graduates("cpu.model=mipsy", false), 1 + 60 + 1);
}

/* mxs fetches the last four instructions of the first line in f; the three before the load graduate in f + 3. The load
 * issues in f + 2, its line arrives in f + 62, it completes in f + 64. The second line is requested in f + 1 and
 * arrives in f + 61; its first instruction issues in f + 63 and completes with the load. */
static void hidden(void **state)
{
    (void)state;
    assert_int_equal(second_line_graduates("cpu.model=mxs", true), 64 - 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(hidden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
