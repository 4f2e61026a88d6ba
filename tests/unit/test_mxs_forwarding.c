/* mxs: loads and the stores before them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/unit/mxs_bench.h"

/* WORDS in a loop, with A0 = the data: the cycles of an iteration. */
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

/* The value goes through memory: the store's value is there in x, the load issues then, and its value is there in x +
 * 2, the sum in x + 3. */
static void forwarded(void **state)
{
    (void)state;
    const uint32_t words[] = {SW(T0, 0, A0), LW(T0, 0, A0), ADDIU(T0, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 3, machine), 3);
    assert_int_equal(bench_value(machine, "cpu0.mxs.replayed"), 0);
    machine_free(machine);
}

/* There the store may graduate in x too, and the load has its value from memory. Behind a chain of multiplications, 6
 * cycles a turn, it cannot: every load has its value from the store. */
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

/* A halfword of a word: the store has it all. */
static void part_of_a_store(void **state)
{
    (void)state;
    struct machine *machine = BENCH("cache.model=none");
    const uint32_t halfword[] = {SW(T0, 0, A0), 0x94000000u | A0 << 21 | T0 << 16, ADDIU(T0, T0, 1)};
    assert_int_equal(cycles_a_turn(halfword, 3, machine), 3);
    machine_free(machine);
}

/* A load of more than the store has waits until that has graduated: a byte's store, whose value is there in x, is done
 * and graduates in x; the load issues in x, and the sum is there in x + 3. The same time, but nothing is forwarded. */
static void more_than_a_store(void **state)
{
    (void)state;
    const uint32_t words[] = {0xa0000000u | A0 << 21 | T0 << 16, LW(T0, 0, A0), ADDIU(T0, T0, 1)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 3, machine), 3);
    assert_int_equal(bench_value(machine, "cpu0.mxs.forwarded"), 0);
    machine_free(machine);
}

/* Loads go before a store to another place, whose value comes late (a multiplication, 6 cycles): the turn takes what
 * the chain of multiplications takes. */
static void passing(void **state)
{
    (void)state;
    const uint32_t words[] = {MUL(T1, T1, T1), SW(T1, 64, A0), LW(T0, 0, A0), ADDU(T2, T2, T0)};
    struct machine *machine = BENCH("cache.model=none");
    assert_int_equal(cycles_a_turn(words, 4, machine), 6);
    machine_free(machine);
}

/* The store's address comes late, the load behind it has gone before: it was wrong, and is done again. Loads that pass
 * only what is known wait instead. */
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
