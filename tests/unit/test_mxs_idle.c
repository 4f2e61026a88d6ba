/* mxs: cycles without activity are skipped: the host's cost of an idle machine and of long misses. */
#include "tests/unit/test.h"
#include "cpu/mxs/mxs.h"
#include "tests/unit/mxs_bench.h"

static uint64_t stepped(const struct machine *machine)
{
    const struct mxs *m = machine->cores[0]->model;
    return m->simulated_cycles;
}

/* `wait` until Compare, 100,000 ticks of Count or 200,000 cycles: only the program before and after it is stepped, with
 * the misses of its two lines. */
static void a_wait_is_skipped(void **state)
{
    (void)state;
    enum { TICKS = 100000, STATUS_IM7 = 1 << 15 };
    static const uint32_t words[] = {LUI(T0, TICKS >> 16),
                                     ORI(T0, T0, TICKS & 0xffff),
                                     MTC0(T0, 11),
                                     ORI(T0, ZERO, STATUS_IM7),
                                     MTC0(T0, 12),
                                     WAIT,
                                     ADDIU(T1, ZERO, 1),
                                     BRANCH_BACK(0),
                                     NOP};
    struct machine *machine = BENCH(CACHES_1996);
    start_program(machine, 0, words, sizeof words / sizeof *words);
    machine_run(machine, &(struct machine_limits){2 * TICKS - 1, UINT64_MAX});
    assert_true(machine->cores[0]->s.waiting);
    assert_int_equal(machine->cores[0]->s.cycle, 2 * TICKS - 1);
    assert_in_range(stepped(machine), 6, 60);
    machine_run(machine, &(struct machine_limits){2 * TICKS + 200, UINT64_MAX});
    assert_false(machine->cores[0]->s.waiting);
    assert_int_equal(machine->cores[0]->s.gpr[T1], 1);
    machine_free(machine);
}

/* A chain of loads that miss, 2,000 cycles each (memory.miss_time 10 us at 200 MHz): after each the window fills with
 * dependent instructions within 64 / 4 cycles, then nothing happens until the line arrives. */
static void a_full_window_that_waits_for_memory_is_skipped(void **state)
{
    (void)state;
    enum { LOADS = 20, STRIDE = 4096 + 128, MISS = 2000 };
    const uint32_t words[] = {LUI(T0, DATA_HIGH), LW(T0, 0, T0), XORI(T1, T0, 1), BRANCH_BACK(2), NOP};
    struct machine *machine = BENCH(CACHES_1996, "memory.miss_time=10us");
    for (unsigned i = 0; i <= LOADS; i++) {
        const uint32_t next = 0x80000000u + DATA_BASE + (i + 1) * STRIDE;
        memcpy(physmem_host(machine->mem, DATA_BASE + i * STRIDE), &next, sizeof next);
    }
    start_program(machine, 0, words, sizeof words / sizeof *words);
    machine_run(machine, &(struct machine_limits){LOADS * MISS, UINT64_MAX});
    /* the first miss is that of the code; the rest of an iteration graduates with its load or after it */
    assert_in_range(machine->cores[0]->s.insns, 2 + 4 * (LOADS - 3), 2 + 4 * (LOADS - 1));
    assert_in_range(stepped(machine), LOADS, LOADS * 25);
    machine_free(machine);
}

/* Independent additions, four per cycle: no cycle is skipped, otherwise the counter would be wrong. */
static void cycles_with_work_are_stepped(void **state)
{
    (void)state;
    const uint32_t words[] = {ADDU(T0, ZERO, ZERO), ADDU(T1, ZERO, ZERO), BRANCH_BACK(2), NOP};
    struct machine *machine = BENCH(CACHES_1996);
    start_program(machine, 0, words, sizeof words / sizeof *words);
    bench_graduates(machine, 1000);
    const uint64_t before = stepped(machine);
    const cycles from = machine->cores[0]->s.cycle;
    bench_graduates(machine, 5000);
    assert_int_equal(stepped(machine) - before, machine->cores[0]->s.cycle - from);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wait_is_skipped),
                                       cmocka_unit_test(a_full_window_that_waits_for_memory_is_skipped),
                                       cmocka_unit_test(cycles_with_work_are_stepped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
