/*
 * Programs that expose a model which violates the order of steps of an instruction (cycle, fetch of its line, hooks,
 * execution: cpu/inorder/step.c) by other times or misses. Every model must agree with mipsy.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "src/machine/machine_model.h"
#include "tests/unit/machine_program.h"

enum { T0 = 8, T1 = 9, F0 = 0, STATUS = 12 };

#define MTC1(rt, fs) (0x44800000u | (unsigned)(rt) << 16 | (unsigned)(fs) << 11)

/* Results of a program. */
struct response {
    cycles cycle;
    uint64_t insns;
    vaddr pc, epc;
    uint32_t cause;
    double l1i_misses, l2_misses;
};

static double value(const struct machine *machine, const char *name)
{
    double result;
    if (!stats_value(machine->stats, name, &result))
        fail_msg("no statistic %s", name);
    return result;
}

/* INSNS instructions of the program, with MODEL. */
static struct response run(const char *model, const uint32_t *words, size_t count, uint64_t insns)
{
    char choice[64];
    snprintf(choice, sizeof choice, "cpu.model=%s", model);
    struct machine *machine = MACHINE_OF(choice, "machine.memory=16M");
    start_program(machine, 0, words, count);
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
    const struct cpu *s = &machine->cores[0]->s;
    struct response response = {.cycle = s->cycle,
                                .insns = s->insns,
                                .pc = s->pc,
                                .epc = s->cp0[CP0_EPC],
                                .cause = s->cp0[CP0_CAUSE],
                                .l1i_misses = value(machine, "cpu0.l1i.misses"),
                                .l2_misses = value(machine, "cpu0.l2.insn_misses")};
    machine_free(machine);
    return response;
}

static void same_in_all_models(const uint32_t *words, size_t count, uint64_t insns)
{
    struct response expected = run("mipsy", words, count, insns);
    const char *name;
    for (size_t i = 0; (name = machine_cpu_model_at(i)); i++) {
        const struct cpu_model_ops *model = machine_model_find(name);
        if ((model->supported && !model->supported()) || model == &mxs_model) /* with other timing */
            continue;
        print_message("%s\n", name);
        struct response response = run(name, words, count, insns);
        assert_int_equal(response.insns, expected.insns);
        assert_int_equal(response.pc, expected.pc);
        assert_int_equal(response.epc, expected.epc);
        assert_int_equal(response.cause, expected.cause);
        assert_true(response.l1i_misses == expected.l1i_misses);
        assert_true(response.l2_misses == expected.l2_misses);
        assert_int_equal(response.cycle, expected.cycle);
    }
}

/* The load evicts its own line from both levels; the next instruction, in the same line, still executes, although it
 * cannot execute as translated: the FPU is off. */
static void fpu_off_in_an_evicted_line(void **state)
{
    (void)state;
    static const uint32_t program[] = {
        MTC0(0, STATUS),
        LUI(T0, (PROGRAM_PC + 0x300000) >> 16), /* the same set of the second level: 1 MB, one way */
        NOP,
        NOP,
        LW(T1, 16, T0),
        MTC1(T1, F0),
        NOP,
        NOP,
    };
    same_in_all_models(program, sizeof program / sizeof program[0], 500); /* behind the exception: nops */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fpu_off_in_an_evicted_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
