/* mipsy: where a run ends, and what an uncached fetch costs. */
#include "tests/unit/machine_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>

#define ERET 0x42000018u

static void run_to(struct machine *machine, uint64_t insns)
{
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
}

/* The instruction limit is exact, also where the next fetch would fail. */
static void test_limit_before_failing_fetch(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.memory=16M");
    const uint32_t program[] = {LUI(8, 0x1000), MTC0(8, 30) /* ErrorEPC */, MTC0(8, 14), ERET};
    start_program(machine, 0, program, 4);
    run_to(machine, 4);
    assert_int_equal(machine_insns(machine), 4);
    assert_int_equal(machine->cores[0]->s.pc, 0x10000000);
    run_to(machine, 5);
    assert_int_equal(machine_insns(machine), 5);
    assert_int_equal(machine->cores[0]->counts.exceptions[EXC_TLBL], 1);
    machine_free(machine);
}

static double value(const struct machine *machine, const char *name)
{
    double number;
    assert_true(stats_value(machine->stats, name, &number));
    return number;
}

/* A fetch that no cache holds is one uncached access, and the instruction cache knows nothing of it. */
static void test_uncached_fetches(void **state)
{
    (void)state;
    enum { INSNS = 64, LATENCY = 20 };
    struct machine *machine = MACHINE_OF("machine.memory=16M", "memory.uncached_latency=100ns", "cpu.clock=200MHz");
    uint32_t program[INSNS] = {0};
    start_program(machine, 0, program, INSNS);
    machine->cores[0]->s.pc |= 0x20000000;
    run_to(machine, INSNS);
    assert_int_equal(machine_now(machine), INSNS + INSNS * LATENCY);
    assert_true(value(machine, "cpu0.l1i.misses") == 0);
    machine_free(machine);
}

/* The line that is being executed leaves the caches, and the run ends there: it is not fetched a second time. */
static void test_interrupted_in_a_lost_line(void **state)
{
    (void)state;
    /* 1 MB from the program: the same line of the second level, which takes the first level's along. */
    const uint32_t program[] = {LUI(8, 0x8030), LW(9, 0, 8), NOP, NOP, NOP, NOP, NOP, NOP};
    cycles time[2];
    for (unsigned sliced = 0; sliced < 2; sliced++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", "cache.l2.size=1M", "cache.l2.ways=1");
        start_program(machine, 0, program, 8);
        for (uint64_t insns = 1; sliced && insns < 8; insns++)
            run_to(machine, insns);
        run_to(machine, 1000); /* nops; a stall does not use up the whole run */
        time[sliced] = machine_now(machine);
        machine_free(machine);
    }
    assert_int_equal(time[0], time[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_before_failing_fetch),
        cmocka_unit_test(test_uncached_fetches),
        cmocka_unit_test(test_interrupted_in_a_lost_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
