/* mxs: attribution of cycles (SOSP'95 section 3.3; docs/reference/mxs.md). */
#include "tests/unit/test.h"
#include "tests/unit/mxs_bench.h"

static double counter(struct machine *machine, const char *group, const char *cause)
{
    char name[64];
    snprintf(name, sizeof name, "cpu0.mxs.%s.%s", group, cause);
    return bench_value(machine, name);
}

static const char *const causes[] = {"l1i",          "l2i",      "l1d",        "l2d",          "upgrade",
                                     "write_buffer", "uncached", "dependence", "mispredicted", "exception",
                                     "serialised",   "replayed", "units",      "fetch"};

static double sum(struct machine *machine, const char *group)
{
    double all = 0;
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        all += counter(machine, group, causes[i]);
    return all;
}

/* Every cycle is full or has a cause, every slot graduates an instruction or has a cause. Runs to the end of a
 * cycle. */
static void check_sums(struct machine *machine, unsigned width)
{
    struct err err = {""};
    machine_run(machine, &(struct machine_limits){machine->cores[0]->s.cycle + 1, UINT64_MAX});
    const double cycles = bench_value(machine, "cpu0.mxs.cycles");
    assert_true(bench_value(machine, "cpu0.mxs.full_cycles") + sum(machine, "stall") == cycles);
    assert_true(bench_value(machine, "cpu0.mxs.graduated") + sum(machine, "slots") == width * cycles);
    assert_true(bench_value(machine, "cpu0.mxs.graduated") == bench_value(machine, "cpu0.insns"));
    if (!machine_check_accounts(machine, &err))
        fail_msg("%s", err.text);
}

/* The chase of test_mxs_pointer_chase.c: one of its 62 cycles graduates the load (and three others: full). In the other
 * 61 the load, which missed in both levels, is the oldest instruction. */
static void a_load_that_misses(void **state)
{
    (void)state;
    enum { STRIDE = 4096 + 128, TURNS = 20 };
    const uint32_t words[] = {LUI(T0, DATA_HIGH), ORI(T1, ZERO, 60000), LW(T0, 0, T0),
                              ADDIU(T1, T1, -1),  BNE(T1, ZERO, -3),    NOP};
    struct machine *machine = BENCH(CACHES_1996);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t next = 0x80000000u + DATA_BASE + (i + 1) * STRIDE;
        memcpy(physmem_host(machine->mem, DATA_BASE + i * STRIDE), &next, sizeof next);
    }
    start_program(machine, 0, words, 6);
    bench_graduates(machine, 2 + 4 * 10);
    const double stall = counter(machine, "stall", "l2d"), full = bench_value(machine, "cpu0.mxs.full_cycles");
    bench_graduates(machine, 2 + 4 * (10 + TURNS));
    assert_true(counter(machine, "stall", "l2d") - stall == TURNS * 61);
    assert_true(bench_value(machine, "cpu0.mxs.full_cycles") - full == TURNS);
    assert_true(bench_value(machine, "cpu0.mode.kernel.stall.l2d") == counter(machine, "stall", "l2d"));
    check_sums(machine, 4);
    machine_free(machine);
}

/* A chain of multiplications graduates one per 6 cycles: none is full, all wait for a result. */
static void a_dependence(void **state)
{
    (void)state;
    uint32_t words[300];
    const uint32_t multiply = MUL(T0, T0, T0);
    bench_repeat(words, 300, &multiply, 1);
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 300);
    bench_graduates(machine, 100);
    const double stall = counter(machine, "stall", "dependence"), slots = counter(machine, "slots", "dependence");
    bench_graduates(machine, 200);
    assert_true(counter(machine, "stall", "dependence") - stall == 600);
    assert_true(counter(machine, "slots", "dependence") - slots == 600 * 4 - 100);
    assert_true(counter(machine, "stall", "l1d") == 0);
    check_sums(machine, 4);
    machine_free(machine);
}

/* The alternating branch of test_mxs_branch_patterns.c, 6 cycles per iteration. */
static void a_wrong_prediction(void **state)
{
    (void)state;
    const uint32_t words[] = {XORI(T0, T0, 1), BNE(T0, ZERO, 1), NOP, BRANCH_BACK(3), NOP};
    struct machine *machine = BENCH("cache.model=none");
    start_program(machine, 0, words, 5);
    bench_graduates(machine, 500);
    const double wrong = counter(machine, "stall", "mispredicted");
    bench_graduates(machine, 1000);
    /* f: the loop's jump is fetched, alone with its slot; f + 1: the next iteration. The jump graduates in f + 3. In f
     * - 1 the branch graduates, and what follows it is squashed; from f to f + 2 the jump is the oldest instruction. */
    assert_true(counter(machine, "stall", "mispredicted") - wrong == 100 * 4);
    check_sums(machine, 4);
    machine_free(machine);
}

/* Straight-line code that misses: fetch waits for each line. */
static void code_that_misses(void **state)
{
    (void)state;
    struct machine *machine = BENCH(CACHES_1996);
    const uint32_t nop = NOP;
    start_program(machine, 0, &nop, 1);
    bench_graduates(machine, 32 * 10);
    const double l2 = counter(machine, "stall", "l2i"), l1 = counter(machine, "stall", "l1i");
    bench_graduates(machine, 32 * 30);
    /* 128-byte lines from memory in 60 cycles, the two halves from the second level in 10. The 16 instructions of a
     * line are fetched in 4 cycles from f on; the last group, of f + 3, graduates in f + 6; the next line is requested
     * in f + 4. So the window is empty, after full cycles, from f + 7 to f + 4 + 60, or + 10. */
    assert_true(counter(machine, "stall", "l2i") - l2 == 20 * (60 - 3));
    assert_true(counter(machine, "stall", "l1i") - l1 == 20 * (10 - 3));
    check_sums(machine, 4);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_load_that_misses), cmocka_unit_test(a_dependence),
                                       cmocka_unit_test(a_wrong_prediction), cmocka_unit_test(code_that_misses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
