/*
 * A guest that cannot make progress ends its run, under every CPU model after the same instruction, and not earlier.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/unit/test.h"
#include "tests/unit/machine_program.h"

enum { T0 = 8, T1 = 9, K0 = 26, STATUS_IM2 = 1 << 10, VECTOR = 0x180, OTHER = 0x1000 };

#define BREAK           0x0000000du
#define SYSCALL         0x0000000cu
#define BNE(rs, rt, to) (0x14000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(to)&0xffff))
#define SET_EBASE(rt)   (MTC0(rt, 15) | 1)
#define EXIT_7          LUI(T0, 0xb801), ORI(T1, 0, 7), SW(T1, 0x14, T0), BRANCH_BACK(0), NOP

static const char *const models[] = {"cpu.model=mipsy", "cpu.model=embra", "cpu.model=mxs"};
enum { MODELS = sizeof models / sizeof *models };

static void put(struct machine *machine, uint32_t address, const uint32_t *words, size_t count)
{
    memcpy(physmem_host(machine->mem, address), words, count * sizeof *words);
}

/* Start WORDS on CPU. */
#define START(machine, cpu, ...)                                                                                       \
    do {                                                                                                               \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        put(machine, PROGRAM_BASE + (cpu)*OTHER, words, sizeof words / sizeof *words);                                 \
        machine_power_on(machine, cpu, PROGRAM_PC + (cpu)*OTHER);                                                      \
    } while (0)

/* Put WORDS at the general exception vector. */
#define HANDLE(machine, ...)                                                                                           \
    do {                                                                                                               \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        put(machine, VECTOR, words, sizeof words / sizeof *words);                                                     \
    } while (0)

static void expect_text(const struct machine *machine, const char *text)
{
    if (!strstr(machine->failure.text, text))
        fail_msg("\"%s\" is not in \"%s\"", text, machine->failure.text);
}

static void expect_end(struct machine *machine, const char *text)
{
    struct err err = {""};
    assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_DEADLOCK);
    expect_text(machine, text);
    assert_true(machine_check_accounts(machine, &err));
}

static void a_vector_without_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", models[i]);
        START(machine, 0, LUI(T0, 0x8f00), SET_EBASE(T0), MTC0(0, 12), BREAK, EXIT_7);
        expect_end(machine, "CPU 0 takes exception 6, bus_fetch, repeatedly: its exception vector at 0x8f000180 "
                            "is not in RAM; last exception: 9, breakpoint, at 0x8020000c (EPC)");
        assert_int_equal(machine_insns(machine), 5);
        /* The run can be resumed: a debugger may have changed the state. */
        struct core *core = machine->cores[0];
        core->s.pc = PROGRAM_PC + 4 * 4;
        core_state_changed(core);
        assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_EXIT);
        assert_int_equal(machine->exit_status, 7);
        machine_free(machine);
    }
}

static void a_vector_that_faults(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", models[i]);
        HANDLE(machine, LW(K0, 0x10, 0));
        START(machine, 0, MTC0(0, 12), SYSCALL);
        expect_end(machine, "CPU 0 takes exception 2, tlb_load, repeatedly: its exception vector at 0x80000180 "
                            "begins with lw");
        expect_text(machine, "last exception: 8, syscall, at 0x80200004 (EPC), BadVAddr 0x00000010");
        assert_int_equal(machine_insns(machine), 3);
        machine_free(machine);
    }
}

/* The second instruction of a handler raises an exception each time, after an executed instruction: progress is
 * possible. */
static void a_handler_that_faults_later(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", models[i]);
        HANDLE(machine, ADDIU(K0, K0, 1), BREAK);
        START(machine, 0, MTC0(0, 12), SYSCALL);
        assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, 100000}), MACHINE_STOP_INSNS);
        machine_free(machine);
    }
}

static void a_wait_with_all_interrupts_masked(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", models[i]);
        START(machine, 0, MTC0(0, 12), WAIT, EXIT_7);
        expect_end(machine, "CPU 0 waits at 0x80200008 with all interrupts masked");
        assert_int_equal(machine_insns(machine), 2);
        assert_in_range(machine->now, 2, 1000);
        machine_free(machine);
    }
}

/* A byte in transmission still reaches the console. */
static void devices_finish_first(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", "uart.character_time=1000000ns", models[i]);
        HANDLE(machine, BREAK);
        START(machine, 0, LUI(T0, 0xb800), SW(T0, 0, T0), MTC0(0, 12), SYSCALL);
        expect_end(machine, "begins with break");
        assert_true(machine->now >= machine->queue->clock_hz / 1000);
        machine_free(machine);
        machine = MACHINE_OF("machine.memory=16M", "uart.character_time=1000000ns", models[i]);
        START(machine, 0, LUI(T0, 0xb800), SW(T0, 0, T0), MTC0(0, 12), WAIT);
        expect_end(machine, "with all interrupts masked");
        assert_true(machine->now >= machine->queue->clock_hz / 1000);
        machine_free(machine);
    }
}

/* Program of CPU 1: a delay loop, then END. */
#define LATER(...) ORI(T0, 0, 5000), ADDIU(T0, T0, -1), BNE(T0, 0, -2), NOP, LUI(T1, 0x8000), __VA_ARGS__, NOP

static void another_cpu_may_help(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", models[i]);
        HANDLE(machine, BREAK, EXIT_7);
        START(machine, 0, MTC0(0, 12), SYSCALL);
        START(machine, 1, MTC0(0, 12), LATER(SW(0, VECTOR, T1), WAIT));
        assert_int_equal(machine_run(machine, &MACHINE_NO_LIMITS), MACHINE_STOP_EXIT);
        assert_int_equal(machine->exit_status, 7);
        machine_free(machine);
    }
}

static struct machine *two_that_end(const char *model)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", model);
    HANDLE(machine, BREAK);
    START(machine, 0, MTC0(0, 12), SYSCALL);
    START(machine, 1, MTC0(0, 12), LATER(WAIT));
    return machine;
}

static void the_last_cpu_decides(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *whole = two_that_end(models[i]), *pieces = two_that_end(models[i]);
        enum machine_stop reason = MACHINE_STOP_TIME;
        expect_end(whole, "CPU 0 takes exception 9, breakpoint, repeatedly");
        assert_true(whole->cores[1]->s.waiting);
        for (cycles time = 0; reason == MACHINE_STOP_TIME; time += 777)
            reason = machine_run(pieces, &(struct machine_limits){time, UINT64_MAX});
        assert_int_equal(reason, MACHINE_STOP_DEADLOCK);
        assert_int_equal(pieces->now, whole->now);
        assert_int_equal(machine_insns(pieces), machine_insns(whole));
        machine_free(whole);
        machine_free(pieces);
    }
}

/* A branch to itself ends the run only if another CPU shows an error: Linux stops its other CPUs this way. */
static void a_branch_to_itself(void **state)
{
    (void)state;
    const struct machine_limits limit = {5 * MACHINE_POLL_CYCLES, UINT64_MAX};
    for (unsigned i = 0; i < MODELS; i++) {
        struct machine *machine = MACHINE_OF("machine.memory=16M", models[i]);
        START(machine, 0, BRANCH_BACK(0), NOP);
        assert_int_equal(machine_run(machine, &limit), MACHINE_STOP_TIME);
        machine_free(machine);
        /* Not an error while the other CPU waits for an interrupt. */
        machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", models[i]);
        START(machine, 0, WAIT_FOR_IP2);
        START(machine, 1, MTC0(0, 12), BRANCH_BACK(0), NOP);
        assert_int_equal(machine_run(machine, &limit), MACHINE_STOP_TIME);
        machine_free(machine);
        /* Not an error if an interrupt can end the loop. */
        machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", models[i]);
        START(machine, 0, MTC0(0, 12), WAIT);
        START(machine, 1, ORI(T0, 0, STATUS_IM2 | 1), MTC0(T0, 12), BRANCH_BACK(0), NOP);
        assert_int_equal(machine_run(machine, &limit), MACHINE_STOP_TIME);
        machine_free(machine);
        /* Not an error if the delay slot has an effect. */
        machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", models[i]);
        START(machine, 0, MTC0(0, 12), WAIT);
        START(machine, 1, MTC0(0, 12), BRANCH_BACK(0), ADDIU(T0, T0, 1));
        assert_int_equal(machine_run(machine, &limit), MACHINE_STOP_TIME);
        machine_free(machine);
        machine = MACHINE_OF("machine.memory=16M", "machine.cpus=2", models[i]);
        START(machine, 0, MTC0(0, 12), WAIT);
        START(machine, 1, MTC0(0, 12), BRANCH_BACK(0), NOP);
        expect_end(machine, "CPU 0 waits at 0x80200008 with all interrupts masked");
        assert_in_range(machine->now, 1, 2 * MACHINE_POLL_CYCLES);
        machine_free(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vector_without_memory),     cmocka_unit_test(a_vector_that_faults),
        cmocka_unit_test(a_handler_that_faults_later), cmocka_unit_test(a_wait_with_all_interrupts_masked),
        cmocka_unit_test(devices_finish_first),        cmocka_unit_test(another_cpu_may_help),
        cmocka_unit_test(the_last_cpu_decides),        cmocka_unit_test(a_branch_to_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
