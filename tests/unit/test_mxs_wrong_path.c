/* mxs: wrong-path instructions change the caches and nothing else. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

/* The branch is taken, predicted not taken by a counter of 1, and its condition is late (two multiplications): the load
 * after it issues, and misses, long before the branch resolves. */
static const uint32_t program[] = {
    LUI(A0, DATA_HIGH),
    ADDIU(T0, ZERO, 1),
    MUL(T0, T0, T0),
    MUL(T0, T0, T0),
    BNE(T0, ZERO, 4),
    NOP,
    LW(T1, 256, A0),
    SW(T0, 512, A0),
    ADDIU(T2, ZERO, 7),
    BRANCH_BACK(0),
    NOP,
};
enum { LENGTH = sizeof program / sizeof program[0], TO_THE_END = 6 + 2 };

static bool holds(struct machine *machine, paddr address)
{
    return memsys_look(machine->memsys, 0, MEMSYS_L1D, address).valid;
}

static void lines_come(void **state)
{
    (void)state;
    struct machine *machine = BENCH(CACHES_1996);
    start_program(machine, 0, program, LENGTH);
    bench_graduates(machine, TO_THE_END + 40);
    assert_true(holds(machine, DATA_BASE + 256));
    assert_true(holds(machine, DATA_BASE + 512)); /* stores request their line when they issue */
    assert_int_equal(bench_value(machine, "cpu0.l1d.read_misses"), 1);
    assert_int_equal(bench_value(machine, "cpu0.loads"), 0);
    assert_int_equal(bench_value(machine, "cpu0.stores"), 0);
    machine_free(machine);
}

static void registers_and_memory_do_not_change(void **state)
{
    (void)state;
    struct machine *machine = BENCH(CACHES_1996);
    memset(physmem_host(machine->mem, DATA_BASE + 256), 0x5a, 4);
    start_program(machine, 0, program, LENGTH);
    bench_graduates(machine, TO_THE_END + 40);
    uint32_t word;
    memcpy(&word, physmem_host(machine->mem, DATA_BASE + 512), sizeof word);
    assert_int_equal(machine->cores[0]->s.gpr[T1], 0);
    assert_int_equal(machine->cores[0]->s.gpr[T2], 0);
    assert_int_equal(word, 0);
    machine_free(machine);
}

/* If the branch is predicted taken, the load is not fetched. */
static void no_wrong_path(void **state)
{
    (void)state;
    uint32_t always[LENGTH];
    memcpy(always, program, sizeof program);
    always[4] = BEQ(ZERO, ZERO, 4);
    struct machine *machine = BENCH(CACHES_1996);
    start_program(machine, 0, always, LENGTH);
    bench_graduates(machine, TO_THE_END + 40);
    assert_false(holds(machine, DATA_BASE + 256));
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_come),
                                       cmocka_unit_test(registers_and_memory_do_not_change),
                                       cmocka_unit_test(no_wrong_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
