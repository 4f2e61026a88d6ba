/* mxs: what an exception and the return from one cost beyond the instructions of the handler, where a machine says so
 * (mxs.exception_delay, mxs.eret_delay); otherwise fetch goes on after mxs.redirect_delay (docs/reference/mxs.md). */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

enum { K0 = 26, STATUS = 12, EPC = 14, SYSCALL = 0x0000000c, ERET = 0x42000018, VECTOR = 0x180, COUNT = 32, LAST = 24 };
#define MFC0(rt, rd) (0x40000000u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define MTC0(rt, rd) (0x40800000u | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)

/* When an instruction behind a system call and its return has graduated. */
static cycles time_with(const char *setting, const char *other)
{
    uint32_t words[COUNT] = {MTC0(ZERO, STATUS)};
    static const uint32_t handler[] = {MFC0(K0, EPC), ADDIU(K0, K0, 4), MTC0(K0, EPC), ERET};
    for (unsigned i = 1; i < COUNT; i++)
        words[i] = i == 10 ? (uint32_t)SYSCALL : ADDIU(T0, T0, 1);
    struct machine *machine = BENCH("cache.model=none", "mxs.redirect_delay=3", setting, other);
    memcpy(physmem_host(machine->mem, VECTOR), handler, sizeof handler);
    start_program(machine, 0, words, COUNT);
    const cycles at = bench_graduates(machine, LAST);
    assert_int_equal(bench_value(machine, "cpu0.exceptions.syscall"), 1);
    machine_free(machine);
    return at;
}

static void the_front_end_waits_as_long_as_the_machine_says(void **state)
{
    (void)state;
    const cycles base = time_with("mxs.exception_delay=0", "mxs.eret_delay=0");
    assert_int_equal(time_with("mxs.exception_delay=3", "mxs.eret_delay=3"), base);
    assert_int_equal(time_with("mxs.exception_delay=23", "mxs.eret_delay=0"), base + 20);
    assert_int_equal(time_with("mxs.exception_delay=0", "mxs.eret_delay=33"), base + 30);
    assert_int_equal(time_with("mxs.exception_delay=13", "mxs.eret_delay=43"), base + 10 + 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_front_end_waits_as_long_as_the_machine_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
