/* mxs: loads and stores of two lines (lines of 4 bytes, as in the DECstation 3100, and accesses of 8). Each line is
 * accessed once, also when the second finds no MSHR and the access has to wait for one. */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

enum { CU1 = 0x2000, COUNT = 16, STATUS_REGISTER = 12 };
#define SDC1(ft, offset, base) (0xf4000000u | (unsigned)(base) << 21 | (unsigned)(ft) << 16 | ((offset)&0xffff))
#define LDC1(ft, offset, base) (0xd4000000u | (unsigned)(base) << 21 | (unsigned)(ft) << 16 | ((offset)&0xffff))

/* COUNT times ACCESS to its own 8 bytes, with OUTSTANDING, the number of MSHRs, and ALLOCATE, what a store that misses
 * does. Returns the machine when all have graduated. */
static struct machine *run_accesses(uint32_t access, const char *outstanding, const char *allocate)
{
    uint32_t words[4 + COUNT] = {LUI(T1, CU1), MTC0(T1, STATUS_REGISTER), LUI(T0, DATA_HIGH), NOP};
    struct machine *machine = BENCH(
        "cache.l1i.size=32K", "cache.l1i.line=4", "cache.l1d.size=32K", "cache.l1d.line=4", "cache.model=one-level",
        outstanding, "cache.l1d.write=through", "cache.l1d.write_buffer.depth=4", "cache.l1d.write_buffer.width=4",
        "cache.l1d.write_buffer.retire=200", allocate, "memory.miss_time=300ns", "cpu.clock=200MHz");
    for (unsigned i = 0; i < COUNT; i++)
        words[4 + i] = access + 8 * i;
    start_program(machine, 0, words, sizeof words / sizeof *words);
    /* twice the time that the write buffer takes for all 2 * COUNT lines */
    const struct machine_limits limits = {.time = 4 * COUNT * 200, .insns = 4 + COUNT};
    assert_int_equal(machine_run(machine, &limits), MACHINE_STOP_INSNS);
    return machine;
}

static void check(uint32_t access, const char *outstanding, const char *allocate, const char *misses)
{
    struct machine *machine = run_accesses(access, outstanding, allocate);
    assert_int_equal((int)bench_value(machine, misses), 2 * COUNT);
    machine_free(machine);
}

static void stores_that_allocate_nothing(void **state)
{
    (void)state;
    check(SDC1(0, 0, T0), "cache.l1d.outstanding=1", "cache.l1d.write_allocate=off", "cpu0.l1d.write_misses");
    check(SDC1(0, 0, T0), "cache.l1d.outstanding=4", "cache.l1d.write_allocate=off", "cpu0.l1d.write_misses");
}

static void stores_that_allocate(void **state)
{
    (void)state;
    check(SDC1(0, 0, T0), "cache.l1d.outstanding=1", "cache.l1d.write_allocate=on", "cpu0.l1d.write_misses");
    check(SDC1(0, 0, T0), "cache.l1d.outstanding=4", "cache.l1d.write_allocate=on", "cpu0.l1d.write_misses");
}

static void loads(void **state)
{
    (void)state;
    check(LDC1(0, 0, T0), "cache.l1d.outstanding=1", "cache.l1d.write_allocate=off", "cpu0.l1d.read_misses");
    check(LDC1(0, 0, T0), "cache.l1d.outstanding=4", "cache.l1d.write_allocate=off", "cpu0.l1d.read_misses");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stores_that_allocate_nothing),
                                       cmocka_unit_test(stores_that_allocate), cmocka_unit_test(loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
