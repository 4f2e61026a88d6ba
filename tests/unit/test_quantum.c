/*
 * The quantum of several CPUs: its default when machine.quantum is 0, and reproducibility of runs with it.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "tests/unit/machine_program.h"

#define FLAT  "cache.model=none"
#define EMBRA "cpu.model=embra"
enum { USUAL = 200, LONG = 3000 };
enum { T0 = 8, T1 = 9 };

/* The quantum of MACHINE, from its statistics. */
static uint64_t quantum_of(const struct machine *machine)
{
    const char *text = stats_text_value(machine->stats, "parameters.machine.quantum");
    assert_non_null(text);
    assert_int_equal(strtoull(text, NULL, 10), machine->quantum);
    return machine->quantum;
}

static void check_quantum(uint64_t expected, const char *cpus, const char *model, const char *caches,
                          const char *quantum)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", cpus, model, caches, quantum);
    assert_int_equal(quantum_of(machine), expected);
    machine_free(machine);
}

static void the_default_depends_on_the_model(void **state)
{
    (void)state;
    const char *const models[] = {"cpu.model=mipsy", "cpu.model=mxs"}, *open = "machine.quantum=0";
    check_quantum(LONG, "machine.cpus=2", EMBRA, FLAT, open);
    check_quantum(LONG, "machine.cpus=8", EMBRA, FLAT, open);
    check_quantum(USUAL, "machine.cpus=1", EMBRA, FLAT, open);
    check_quantum(USUAL, "machine.cpus=8", EMBRA, "cache.model=one-level", open);
    for (unsigned i = 0; i < 2; i++) {
        check_quantum(USUAL, "machine.cpus=8", models[i], FLAT, open);
        check_quantum(USUAL, "machine.cpus=8", models[i], "cache.model=two-level", open);
    }
}

static void a_number_is_the_quantum_of_all_models(void **state)
{
    (void)state;
    const char *const models[] = {"cpu.model=mipsy", EMBRA, "cpu.model=mxs"};
    for (unsigned i = 0; i < 3; i++) {
        check_quantum(37, "machine.cpus=8", models[i], FLAT, "machine.quantum=37");
        check_quantum(200, "machine.cpus=8", models[i], FLAT, "machine.quantum=200");
        check_quantum(37, "machine.cpus=8", models[i], "cache.model=two-level", "machine.quantum=37");
    }
}

static void take(struct machine *machine, const char *model)
{
    struct err err = {""};
    assert_true(machine_set_cpu_model(machine, model, &err));
}

static void it_changes_with_the_model(void **state)
{
    (void)state;
    struct machine *machine = MACHINE_OF("machine.memory=16M", "machine.cpus=4", "cpu.model=mipsy", FLAT);
    assert_int_equal(quantum_of(machine), USUAL);
    take(machine, "embra");
    assert_int_equal(quantum_of(machine), LONG);
    take(machine, "mxs");
    assert_int_equal(quantum_of(machine), USUAL);
    machine_free(machine);
    machine = MACHINE_OF("machine.memory=16M", "machine.cpus=4", "cpu.model=mipsy", FLAT, "machine.quantum=50");
    take(machine, "embra");
    assert_int_equal(quantum_of(machine), 50);
    machine_free(machine);
}

/* Endless non-atomic increments of a word shared by all CPUs: the result depends on the interleaving. */
static const uint32_t racing[] = {
    LUI(T0, 0x8030), LW(T1, 0, T0), ADDIU(T1, T1, 1), NOP, NOP, SW(T1, 0, T0), BRANCH_BACK(5), NOP,
};

static struct machine *racers(const char *quantum)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", "machine.cpus=5", EMBRA, FLAT, quantum);
    for (unsigned i = 0; i < machine->cpus; i++)
        start_program(machine, i, racing, sizeof racing / sizeof *racing);
    return machine;
}

static void check_same(const struct machine *a, const struct machine *b)
{
    const char *name;
    double x, y;
    for (size_t i = 0; (name = stats_name_at(a->stats, i)); i++) {
        assert_true(stats_value(a->stats, name, &x) && stats_value(b->stats, name, &y));
        if (!machine_statistic_is_of_models(name) && !(x == y || (x != x && y != y)))
            fail_msg("%s: %.0f and %.0f", name, x, y);
    }
    assert_memory_equal(physmem_host(a->mem, 0), physmem_host(b->mem, 0), 16 << 20);
}

/* MACHINE, run to INSNS in pieces of PIECE instructions, must equal PLAIN, run in one piece. */
static void check_pieces(const struct machine *plain, struct machine *machine, uint64_t insns, uint64_t piece)
{
    for (uint64_t at = piece; at < insns; at += piece)
        assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, at}), MACHINE_STOP_INSNS);
    assert_int_equal(machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns}), MACHINE_STOP_INSNS);
    check_same(plain, machine);
}

static void runs_are_the_same_again_and_in_pieces(void **state)
{
    (void)state;
    enum { INSNS = 500009 };
    const uint64_t pieces[] = {INSNS, 100003, 2999, 401};
    struct machine *plain = racers("machine.quantum=0");
    assert_int_equal(machine_run(plain, &(struct machine_limits){CYCLES_NEVER, INSNS}), MACHINE_STOP_INSNS);
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct machine *machine = racers("machine.quantum=0"), *numbered = racers("machine.quantum=3000");
        check_pieces(plain, machine, INSNS, pieces[i]);
        check_pieces(plain, numbered, INSNS, pieces[i]);
        machine_free(machine);
        machine_free(numbered);
    }
    machine_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_depends_on_the_model),
        cmocka_unit_test(a_number_is_the_quantum_of_all_models),
        cmocka_unit_test(it_changes_with_the_model),
        cmocka_unit_test(runs_are_the_same_again_and_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
