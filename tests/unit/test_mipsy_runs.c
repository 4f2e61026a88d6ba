/* mipsy: exact ends of runs, hooks, and the cost of uncached fetches. */
#include "tests/unit/machine_program.h"

#include "cache/memsys.h"

#include "tests/unit/test.h"
#include <stdlib.h>

#define ERET                    0x42000018u
#define LL(rt, offset, base)    (0xc0000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define SC(rt, offset, base)    (0xe0000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))
#define CACHE(op, offset, base) (0xbc000000u | (unsigned)(base) << 21 | (unsigned)(op) << 16 | ((offset)&0xffff))
#define SYNCI(offset, base)     (0x041f0000u | (unsigned)(base) << 21 | ((offset)&0xffff))
#define SWR(rt, offset, base)   (0xb8000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))

/* As MACHINE_OF(), with interpretation or with translation of everything. */
static const char *how = NO_WARM_UP;
#define MIPSY_MACHINE(...) MACHINE_OF(how, __VA_ARGS__)

static void run_to(struct machine *machine, uint64_t insns)
{
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
}

/* The instruction limit is exact, also where the next fetch would fail. */
static void test_limit_before_failing_fetch(void **state)
{
    (void)state;
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M");
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

/* An uncached fetch is one uncached access and does not change the instruction cache. */
static void test_uncached_fetches(void **state)
{
    (void)state;
    enum { INSNS = 64, LATENCY = 20 };
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M", "memory.uncached_latency=100ns", "cpu.clock=200MHz");
    uint32_t program[INSNS] = {0};
    start_program(machine, 0, program, INSNS);
    machine->cores[0]->s.pc |= 0x20000000;
    run_to(machine, INSNS);
    assert_int_equal(machine_now(machine), INSNS + INSNS * LATENCY);
    assert_true(value(machine, "cpu0.l1i.misses") == 0);
    machine_free(machine);
}

/* The executing line is evicted and the run ends there: it is not fetched again. */
static void test_interrupted_in_a_lost_line(void **state)
{
    (void)state;
    /* 1 MB from the program: the same set of the second level, whose eviction back-invalidates the first level. */
    const uint32_t program[] = {LUI(8, 0x8030), LW(9, 0, 8), NOP, NOP, NOP, NOP, NOP, NOP};
    cycles time[2];
    for (unsigned sliced = 0; sliced < 2; sliced++) {
        struct machine *machine = MIPSY_MACHINE("machine.memory=16M", "cache.l2.size=1M", "cache.l2.ways=1");
        start_program(machine, 0, program, 8);
        for (uint64_t insns = 1; sliced && insns < 8; insns++)
            run_to(machine, insns);
        run_to(machine, 1000); /* executes the nops that follow; a stall must not end the run early */
        time[sliced] = machine_now(machine);
        machine_free(machine);
    }
    assert_int_equal(time[0], time[1]);
}

static bool begin_idle(void *opaque, struct core *core)
{
    *(uint64_t *)opaque = core->s.insns;
    core_idle_begin(core);
    return false;
}

static bool stop_here(void *opaque, struct core *core)
{
    return machine_stop_at_hook(opaque, core);
}

/* A hook runs before its instruction: the instruction has not taken its cycle, and belongs to the mode that the hook
 * begins, even if another hook stops the run there. */
static void test_hook_before_its_cycle(void **state)
{
    (void)state;
    const uint32_t program[] = {NOP, NOP, NOP, NOP};
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M", "cache.model=none");
    struct core *core = machine->cores[0];
    const struct bucket *idle = &core->mode_buckets[MODE_IDLE], *kernel = &core->mode_buckets[MODE_KERNEL];
    uint64_t insns = 0;
    start_program(machine, 0, program, 4);
    core_hook_add(core, PROGRAM_PC + 8, begin_idle, &insns);
    core_hook_add(core, PROGRAM_PC + 8, stop_here, machine);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_HOOK);
    assert_int_equal(insns, 2);
    assert_int_equal(kernel->insns, 2);
    assert_int_equal(kernel->cycles, 2);
    assert_int_equal(idle->insns, 0);
    assert_int_equal(idle->cycles, 0);
    run_to(machine, 3);
    assert_int_equal(kernel->insns, 2);
    assert_int_equal(idle->insns, 1);
    assert_int_equal(idle->cycles, 1);
    machine_free(machine);
}

/* Stopped at a hook and continued elsewhere, the program stops again when it returns. */
static void test_hook_after_a_detour(void **state)
{
    (void)state;
    const uint32_t program[] = {NOP, NOP, NOP, NOP};
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M");
    struct core *core = machine->cores[0];
    start_program(machine, 0, program, 4);
    core_hook_add(core, PROGRAM_PC + 8, stop_here, machine);
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_HOOK);
    core->s.pc = PROGRAM_PC;
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 100}), MACHINE_STOP_HOOK);
    assert_int_equal(core->s.pc, PROGRAM_PC + 8);
    assert_int_equal(machine_insns(machine), 4);
    machine_free(machine);
}

static bool change_insn(void *opaque, struct core *core)
{
    uint32_t insn = ADDIU(9, 0, 99);
    (void)opaque;
    assert_int_equal(core_debug_write(core, PROGRAM_PC + 4, &insn, 4), 4);
    return false;
}

/* A hook that writes its own instruction: the new one executes, with its own operands. */
static void test_hook_changes_its_insn(void **state)
{
    (void)state;
    const uint32_t program[] = {NOP, ORI(8, 0, 5), NOP, NOP};
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M");
    struct core *core = machine->cores[0];
    start_program(machine, 0, program, 4);
    core_hook_add(core, PROGRAM_PC + 4, change_insn, NULL);
    run_to(machine, 3);
    assert_int_equal(core->s.gpr[8], 0);
    assert_int_equal(core->s.gpr[9], 99);
    machine_free(machine);
}

/* The control device ends the run: nothing executes after the store to it, whatever the kind of store. */
static void expect_end_at(uint32_t store)
{
    const uint32_t program[] = {LUI(8, 0xb801), LL(9, 0x14, 8), ORI(10, 0, 1), store, ADDIU(11, 0, 1), NOP, NOP, NOP};
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M");
    start_program(machine, 0, program, 8);
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 1000}), MACHINE_STOP_EXIT);
    assert_int_equal(machine_insns(machine), 4);
    assert_int_equal(machine->cores[0]->s.gpr[11], 0);
    machine_free(machine);
}

static void test_stores_that_end_the_run(void **state)
{
    (void)state;
    expect_end_at(SW(10, 0x14, 8));
    expect_end_at(SC(10, 0x14, 8));
    expect_end_at(SWR(10, 0x14, 8));
}

/* Run 8 nops (two lines of the instruction cache), two stores to one line each, and LAST with the address of the second
 * line of code in $8 and of data in $9. */
static struct machine *run_cache_program(uint32_t last)
{
    const uint32_t program[] = {NOP,
                                NOP,
                                NOP,
                                NOP,
                                NOP,
                                NOP,
                                NOP,
                                NOP,
                                LUI(8, 0x8020),
                                LUI(9, 0x8031),
                                SW(8, 0, 9),
                                NOP,
                                SW(8, 16, 9),
                                ADDIU(8, 8, 20),
                                ADDIU(9, 9, 20),
                                last,
                                NOP};
    struct machine *machine = MIPSY_MACHINE("machine.memory=16M");
    start_program(machine, 0, program, 17);
    run_to(machine, 17);
    return machine;
}

/* Check whether the lines at PA and the next one are in L1. */
static void expect_lines(const struct memsys *memsys, enum memsys_cache cache, paddr pa, bool expected)
{
    assert_int_equal(memsys_look(memsys, 0, cache, pa).valid, expected);
    assert_int_equal(memsys_look(memsys, 0, cache, pa + 16).valid, expected);
}

/* The guest assumes lines of 32 bytes; the modelled ones have 16. A CACHE operation affects both. */
static void test_cache_operations_on_announced_lines(void **state)
{
    (void)state;
    struct machine *machine = run_cache_program(CACHE(0x10, 0, 8)); /* hit invalidate I */
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200000, false);
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200020, true);
    machine_free(machine);
    machine = run_cache_program(CACHE(0x00, 0, 8)); /* index invalidate I */
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200000, false);
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200020, true);
    machine_free(machine);
    machine = run_cache_program(CACHE(0x15, 0, 9)); /* hit write-back invalidate D */
    expect_lines(machine->memsys, MEMSYS_L1D, 0x00310000, false);
    assert_true(value(machine, "cpu0.l1d.write_backs") == 2);
    machine_free(machine);
}

static void test_fill_keeps_the_line(void **state)
{
    (void)state;
    struct machine *machine = run_cache_program(CACHE(0x14, 0, 8)); /* fill I */
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200000, true);
    machine_free(machine);
}

/* synci writes the data cache's line back and invalidates it in the instruction cache. */
static void test_synci(void **state)
{
    (void)state;
    struct machine *machine = run_cache_program(SYNCI(0, 8));
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200000, false);
    expect_lines(machine->memsys, MEMSYS_L1I, 0x00200020, true);
    assert_true(value(machine, "cpu0.l1d.write_backs") == 0);
    machine_free(machine);
    machine = run_cache_program(SYNCI(0, 9));
    expect_lines(machine->memsys, MEMSYS_L1D, 0x00310000, true);
    assert_true(value(machine, "cpu0.l1d.write_backs") == 2);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_before_failing_fetch), cmocka_unit_test(test_uncached_fetches),
        cmocka_unit_test(test_interrupted_in_a_lost_line), cmocka_unit_test(test_hook_before_its_cycle),
        cmocka_unit_test(test_hook_after_a_detour),        cmocka_unit_test(test_hook_changes_its_insn),
        cmocka_unit_test(test_stores_that_end_the_run),    cmocka_unit_test(test_cache_operations_on_announced_lines),
        cmocka_unit_test(test_fill_keeps_the_line),        cmocka_unit_test(test_synci),
    };
    int failed = cmocka_run_group_tests_name("interpreted", tests, NULL, NULL);
    how = "mipsy.translate_after=1";
    return failed + cmocka_run_group_tests_name("translated", tests, NULL, NULL);
}
