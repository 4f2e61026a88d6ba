/* mxs: loads that depend on earlier stores. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

/* Cycles per iteration of WORDS in a loop, with A0 = address of the data. */
static cycles cycles_a_turn(const uint32_t *words, size_t count, struct machine *machine)
{
    uint32_t program[32] = {LUI(A0, DATA_HIGH)};
    memcpy(program + 1, words, count * sizeof *words);
    program[count + 1] = BRANCH_BACK((int)count);
    program[count + 2] = NOP;
    start_program(machine, 0, program, count + 3);
    const uint64_t turn = count + 2;
    return bench_between(machine, 1 + 50 * turn, 1 + 150 * turn) / 100;
}

/* The value passes through memory: the store's data is ready in x, the load issues in x, its value is ready in x + 2,
 * the sum in x + 3. */
static void forwarded(void **state)
{
    (void)state;
    const uint32_t words[] = {SW(T0, 0, A0), LW(T0, 0, A0), ADDIU(T0, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 3, machine), 3);
    assert_int_equal(bench_value(machine, "cpu0.mxs.replayed"), 0);
    machine_free(machine);
}

/* There the store may also graduate in x, and the load reads memory. After a chain of multiplications, 6 cycles per
 * iteration, it cannot: every load gets its value by forwarding. */
static void from_the_store(void **state)
{
    (void)state;
    const uint32_t words[] = {MUL(T5, T5, T5), SW(T0, 0, A0), LW(T0, 0, A0), ADDIU(T0, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 4, machine), 6);
    assert_true(bench_value(machine, "cpu0.mxs.forwarded") >= 140);
    assert_int_equal(machine->cores[0]->s.gpr[T0], 150);
    machine_free(machine);
}

/* A halfword of a word: the store covers it. */
static void part_of_a_store(void **state)
{
    (void)state;
    struct machine *machine = BENCH("cache.model=none");
    const uint32_t halfword[] = {SW(T0, 0, A0), 0x94000000u | A0 << 21 | T0 << 16, ADDIU(T0, T0, 1)};
    assert_int_equal(cycles_a_turn(halfword, 3, machine), 3);
    machine_free(machine);
}

/* A load that the store covers only in part waits until the store has graduated: a byte store, whose data is ready
 * in x, completes and graduates in x; the load issues in x, the sum is ready in x + 3. The same time, without
 * forwarding. */
static void more_than_a_store(void **state)
{
    (void)state;
    const uint32_t words[] = {0xa0000000u | A0 << 21 | T0 << 16, LW(T0, 0, A0), ADDIU(T0, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 3, machine), 3);
    assert_int_equal(bench_value(machine, "cpu0.mxs.forwarded"), 0);
    machine_free(machine);
}

/* Loads pass a store to another address whose data is late (a multiplication, 6 cycles): an iteration takes the time of
 * the chain of multiplications. */
static void passing(void **state)
{
    (void)state;
    const uint32_t words[] = {MUL(T1, T1, T1), SW(T1, 64, A0), LW(T0, 0, A0), ADDU(T2, T2, T0)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 4, machine), 6);
    machine_free(machine);
}

/* The store's address is late and the load has passed it speculatively: a misspeculation, the load is replayed. With
 * loads that pass only known addresses, the load waits instead. */
static void replayed(void **state)
{
    (void)state;
    const uint32_t words[] = {MUL(T1, ZERO, T1), ADDU(A1, A0, T1), SW(T3, 0, A1), LW(T0, 0, A0), ADDIU(T3, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    cycles_a_turn(words, 5, machine);
    assert_true(bench_value(machine, "cpu0.mxs.replayed") > 0);
    assert_int_equal(machine->cores[0]->s.gpr[T3], 150);
    machine_free(machine);
    machine = BENCH("cache.model=none", "mxs.loads_pass=known");
    cycles_a_turn(words, 5, machine);
    assert_int_equal(bench_value(machine, "cpu0.mxs.replayed"), 0);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forwarded),       cmocka_unit_test(from_the_store),
                                       cmocka_unit_test(part_of_a_store), cmocka_unit_test(more_than_a_store),
                                       cmocka_unit_test(passing),         cmocka_unit_test(replayed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
