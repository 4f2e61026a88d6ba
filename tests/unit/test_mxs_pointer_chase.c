/* mxs: the misses of dependent loads cannot overlap. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

enum { NODES = 64, STRIDE = 4096 + 128 };

/* An iteration is four instructions; the load is the chain: it misses in both levels, 60 cycles, and then takes its own
 * 2. */
static cycles cycles_a_load(bool second_time)
{
    const uint32_t words[] = {LUI(T0, DATA_HIGH), ORI(T1, ZERO, 60000), LW(T0, 0, T0),
                              ADDIU(T1, T1, -1),  BNE(T1, ZERO, -3),    NOP};
    struct machine *machine = BENCH(CACHES_1996);
    for (unsigned i = 0; i < NODES; i++) {
        uint32_t next = 0x80000000u + DATA_BASE + (i + 1) % NODES * STRIDE;
        memcpy(physmem_host(machine->mem, DATA_BASE + i * STRIDE), &next, sizeof next);
    }
    start_program(machine, 0, words, 6);
    const uint64_t from = second_time ? 2 + 4 * 80 : 2 + 4 * 10;
    const cycles time = bench_between(machine, from, from + 4 * 20);
    machine_free(machine);
    return time / 20;
}

static void to_memory(void **state)
{
    (void)state;
    assert_int_equal(cycles_a_load(false), 62);
}

/* In the second pass all nodes are in the first level. */
static void in_the_cache(void **state)
{
    (void)state;
    assert_int_equal(cycles_a_load(true), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(to_memory), cmocka_unit_test(in_the_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
