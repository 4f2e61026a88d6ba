/*
 * Lockstep finds the exact instruction after which a CPU model differs, whatever differs. The model is mipsy with a
 * fault injected at a given instruction.
 */
#include "tests/unit/machine_program.h"

#include "src/base/board.h"
#include "src/run/lockstep.h"

#include "tests/unit/test.h"
#include <inttypes.h>
#include <stdlib.h>

#define BNE(rs, rt, insns)   (0x14000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(insns)&0xffff))
#define SB(rt, offset, base) (0xa0000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((offset)&0xffff))

enum {
    ROUNDS = 30000, /* of the loop, of 9 instructions */
    V0 = 2,
    LOOP_INSNS = 9,
    DATA = 0x00300000,
    UNUSED = 0x00700000, /* RAM that the program does not access */
    CHUNK = 700,
    MEMORY_CHUNK = 20000,
};

/* Count, store, print a byte every round, and exit with status 5. */
static const uint32_t program[] = {
    LUI(8, 0xb801),   LUI(10, 0x8030),
    LUI(12, 0xb800),  ADDIU(9, 0, ROUNDS),
    ADDIU(V0, V0, 1), SW(V0, 0, 10), /* the loop */
    LW(11, 0, 10),    ADDIU(10, 10, 4),
    SB(V0, 0, 12),    ADDIU(10, 10, -4),
    ADDIU(9, 9, -1),  BNE(9, 0, -8),
    ADDIU(13, 13, 3),                  /* delay slot */
    ADDIU(14, 0, 5),  SW(14, 0x14, 8), /* exit status */
    BRANCH_BACK(0),   NOP,
};

/* ---- a model with a fault ---- */

enum fault {
    FAULT_NONE,
    FAULT_REGISTER,
    FAULT_MEMORY,
    FAULT_TIME,
    FAULT_TLB,
    FAULT_OUTPUT,
    FAULT_LONG_RUN, /* a register, but only if the run began much earlier */
    FAULT_END,      /* the loop ends */
};

struct faulty {
    void *mipsy;
    struct core *core;
    struct physmem *mem;
    enum fault fault;
    uint64_t at; /* after this number of instructions of the core */
    bool done;
};

enum { LONG_RUN = 64 };

static void do_fault(struct faulty *f, uint64_t began)
{
    struct cpu *s = &f->core->s;
    f->done = true;
    switch (f->fault) {
    case FAULT_NONE: break;
    case FAULT_REGISTER: s->gpr[13] ^= 1 << 20; break;
    case FAULT_MEMORY: physmem_host(f->mem, UNUSED)[5] ^= 4; break;
    case FAULT_TIME: s->cycle++; break;
    case FAULT_TLB: s->tlb[3].lo[1] ^= 2; break;
    case FAULT_OUTPUT: physmem_device_write(f->mem, BOARD_UART_BASE, 1, f->core->number, '!'); break;
    case FAULT_LONG_RUN: s->gpr[14] ^= f->at - began > LONG_RUN; break;
    case FAULT_END: s->gpr[9] = 1; break;
    }
}

static void faulty_run(void *model, cycles until)
{
    struct faulty *f = model;
    struct cpu *s = &f->core->s;
    uint64_t began = s->insns;
    /* without caches an instruction takes a cycle */
    if (!f->done && s->insns < f->at && f->at - s->insns <= until - s->cycle) {
        cycles end = s->cycle + (f->at - s->insns);
        mipsy_model.run(f->mipsy, end);
        if (s->insns == f->at)
            do_fault(f, began);
    }
    if (!f->core->stop && !s->waiting && s->cycle < until)
        mipsy_model.run(f->mipsy, until);
}

static void faulty_sync(void *model)
{
    mipsy_model.sync(((struct faulty *)model)->mipsy);
}

static void faulty_forget_page(void *model, paddr page)
{
    mipsy_model.invalidate_page(((struct faulty *)model)->mipsy, page);
}

static void faulty_forget_all(void *model)
{
    mipsy_model.invalidate_all(((struct faulty *)model)->mipsy);
}

static void faulty_destroy(void *model)
{
    mipsy_model.destroy(((struct faulty *)model)->mipsy);
    free(model);
}

static const struct cpu_model_ops faulty_model = {.name = "faulty",
                                                  .destroy = faulty_destroy,
                                                  .run = faulty_run,
                                                  .sync = faulty_sync,
                                                  .invalidate_page = faulty_forget_page,
                                                  .invalidate_all = faulty_forget_all};

static void make_faulty(struct machine *machine, unsigned cpu, enum fault fault, uint64_t at)
{
    struct core *core = machine->cores[cpu];
    struct faulty *f = calloc(1, sizeof *f);
    struct err err = {""};
    mipsy_model.destroy(core->model);
    core->model = NULL;
    core->model_ops = &faulty_model;
    *f = (struct faulty){.core = core, .mem = machine->mem, .fault = fault, .at = at};
    f->mipsy = mipsy_model.create(core, machine->memsys, machine->params, &err);
    core->model = f;
}

/* ---- a lockstep of it ---- */

struct bench {
    enum fault fault;
    uint64_t at;
    unsigned cpus, faulty_cpu;
    unsigned faults_left; /* this many of the machines that are built get the fault */
    uint64_t max_insns;
    unsigned printed;  /* bytes that reached the console */
    unsigned searches; /* calls of searching() */
    char *report;
    size_t report_size;
    struct err err;
    enum machine_stop reason;
    uint64_t memory_comparisons;
};

static struct machine *build(void *opaque, unsigned side, bool quiet, const struct machine_host *host,
                             void *host_opaque, struct err *err)
{
    struct bench *bench = opaque;
    char cpus[40];
    (void)quiet, (void)err;
    snprintf(cpus, sizeof cpus, "machine.cpus=%u", bench->cpus);
    const char *const assignments[] = {"machine.memory=16M", "cache.model=none", cpus, "machine.quantum=37"};
    struct machine *machine = machine_of(assignments, 4, host, host_opaque);
    for (unsigned cpu = 0; cpu < bench->cpus; cpu++)
        start_program(machine, cpu, program, sizeof program / 4);
    for (unsigned cpu = 0; cpu < bench->cpus; cpu++) /* each CPU increments a word of its own */
        machine->cores[cpu]->s.gpr[V0] = 1000 * cpu;
    if (side == 1 && bench->fault && bench->faults_left > 0) {
        bench->faults_left--;
        make_faulty(machine, bench->faulty_cpu, bench->fault, bench->at);
    }
    return machine;
}

static void count_output(void *opaque, unsigned uart, uint8_t byte)
{
    (void)uart, (void)byte;
    ((struct bench *)opaque)->printed++;
}

static void count_search(void *opaque, uint64_t insns)
{
    (void)insns;
    ((struct bench *)opaque)->searches++;
}

static const struct machine_host outside = {.uart_output = count_output};

static bool run(struct bench *bench)
{
    FILE *report = open_memstream(&bench->report, &bench->report_size);
    const struct lockstep_setup setup = {.build = build,
                                         .opaque = bench,
                                         .name = {"mipsy", "faulty"},
                                         .host = &outside,
                                         .host_opaque = bench,
                                         .searching = count_search,
                                         .limits = {CYCLES_NEVER, bench->max_insns},
                                         .chunk = CHUNK,
                                         .memory_chunk = MEMORY_CHUNK,
                                         .report = report};
    bench->err = (struct err){""};
    struct lockstep *lockstep = lockstep_create(&setup, &bench->err);
    assert_non_null(lockstep);
    bool same = lockstep_run(lockstep, &bench->reason, &bench->err);
    bench->memory_comparisons = lockstep_memory_comparisons(lockstep);
    lockstep_free(lockstep);
    fclose(report);
    return same;
}

static struct bench bench_of(enum fault fault, uint64_t at)
{
    return (struct bench){.fault = fault, .at = at, .cpus = 1, .faults_left = UINT32_MAX, .max_insns = UINT64_MAX};
}

/* The message names instruction NUMBER and WHAT differs. */
static void check_line(const struct bench *bench, uint64_t number, const char *what)
{
    char expected[128];
    snprintf(expected, sizeof expected, "lockstep: mipsy and faulty differ after instruction %" PRIu64 ": %s", number,
             what);
    if (strncmp(bench->err.text, expected, strlen(expected)) != 0)
        fail_msg("expected: %s\ngot: %s", expected, bench->err.text);
}

static void check_report(const struct bench *bench, const char *line)
{
    if (!strstr(bench->report, line))
        fail_msg("the report has no \"%s\":\n%s", line, bench->report);
}

static void expect_difference(enum fault fault, uint64_t at, uint64_t number, const char *what)
{
    struct bench bench = bench_of(fault, at);
    assert_false(run(&bench));
    check_line(&bench, number, what);
    assert_int_equal(bench.searches, 1);
    free(bench.report);
}

/* ---- tests ---- */

/* Without a fault: the whole run, its end, and its output once. */
static void test_no_difference(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_NONE, 0);
    assert_true(run(&bench));
    assert_int_equal(bench.reason, MACHINE_STOP_EXIT);
    assert_int_equal(bench.printed, ROUNDS);
    assert_int_equal(bench.report_size, 0);
    assert_in_range(bench.memory_comparisons, ROUNDS * LOOP_INSNS / (MEMORY_CHUNK + 2 * CHUNK),
                    ROUNDS * LOOP_INSNS / MEMORY_CHUNK + 1);
    free(bench.report);
}

/* The instruction limit is exact and ends both. */
static void test_limit(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_REGISTER, 5002);
    bench.max_insns = 5001;
    assert_true(run(&bench));
    assert_int_equal(bench.reason, MACHINE_STOP_INSNS);
    free(bench.report);
    bench.max_insns = 5002;
    assert_false(run(&bench));
    check_line(&bench, 5002, "cpu0.t5");
    free(bench.report);
}

/* A register: the exact instruction anywhere in a chunk, in delay slots too; the first one, and one near the end. */
static void test_register(void **state)
{
    (void)state;
    const uint64_t end = 4 + ROUNDS * LOOP_INSNS + 2;
    const uint64_t at[] = {1, 2, 3, 12, 13, 14, 699, 700, 701, 1400, 12345, 100000, end - 1};
    for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++)
        expect_difference(FAULT_REGISTER, at[i], at[i], "cpu0.t5 is ");
}

/* A difference in memory that no instruction accesses is detected late, but attributed to its instruction. */
static void test_memory(void **state)
{
    (void)state;
    expect_difference(FAULT_MEMORY, 77, 77, "RAM 00700004 is 00000000 and 00000400");
    expect_difference(FAULT_MEMORY, 123456, 123456, "RAM 00700004 is 00000000 and 00000400");
}

static void test_other_state(void **state)
{
    (void)state;
    expect_difference(FAULT_TIME, 1001, 1001, "cpu0.cycle is 1001 and 1002");
    expect_difference(FAULT_TLB, 54321, 54321, "cpu0.tlb[3].lo1 is ");
    expect_difference(FAULT_OUTPUT, 4444, 4444, "output: ");
}

/* One machine ends, the other continues: the instruction that caused it. */
static void test_end(void **state)
{
    (void)state;
    expect_difference(FAULT_END, 10000, 10000, "cpu0.t1 is ");
}

/* A fault of long runs only is found, and the report says that single-stepping does not show it. */
static void test_long_run(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_LONG_RUN, 34567);
    assert_false(run(&bench));
    check_line(&bench, 34567, "cpu0.t6 is ");
    check_report(&bench, "when single-stepped they do not differ");
    free(bench.report);
}

static void test_two_cpus(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_REGISTER, 5000);
    bench.cpus = 2;
    bench.faulty_cpu = 1;
    assert_false(run(&bench));
    check_report(&bench, "cpu0 is the same");
    check_report(&bench, "=> cpu1.t5");
    check_report(&bench, "when single-stepped they differ after the same instruction");
    /* the instruction is CPU 1's 5000th: quanta of 37 cycles, CPU 0 first */
    check_line(&bench, 5000 + (5000 / 37 + 1) * 37, "cpu1.t5 is ");
    free(bench.report);
}

/* Both states with the difference marked; the preceding instructions, delay slots indented. */
static void test_report(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_REGISTER, 4 + 9 * 100 + 9);
    assert_false(run(&bench));
    check_report(&bench, "lockstep: mipsy and faulty differ after instruction 913\n");
    check_report(&bench, "=>          913  cpu0  80200030    addiu   $t5, $t5, 3");
    check_report(&bench, "            912  cpu0  8020002c  bne ");
    check_report(&bench, "when single-stepped they differ after the same instruction");
    check_report(&bench, "=> cpu0.t5                                0000012f               0010012f\n");
    check_report(&bench, "   cpu0.v0                                00000065               00000065\n");
    check_report(&bench, "   cpu0.Status ");
    free(bench.report);
}

/* A difference that occurs only once is reported as not reproducible. */
static void test_not_again(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_REGISTER, 5000);
    bench.faults_left = 1;
    assert_false(run(&bench));
    assert_non_null(strstr(bench.err.text, "one of them is not deterministic"));
    free(bench.report);
}

static struct machine *build_nothing(void *opaque, unsigned side, bool quiet, const struct machine_host *host,
                                     void *host_opaque, struct err *err)
{
    if (side == 0)
        return build(opaque, side, quiet, host, host_opaque, err);
    err_set(err, "there is no other side");
    return NULL;
}

static void test_cannot_be_built(void **state)
{
    (void)state;
    struct bench bench = bench_of(FAULT_NONE, 0);
    const struct lockstep_setup setup = {
        .build = build_nothing, .opaque = &bench, .name = {"a", "b"}, .limits = MACHINE_NO_LIMITS, .report = stderr};
    assert_null(lockstep_create(&setup, &bench.err));
    assert_string_equal(bench.err.text, "there is no other side");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_difference), cmocka_unit_test(test_limit),           cmocka_unit_test(test_register),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_other_state),     cmocka_unit_test(test_end),
        cmocka_unit_test(test_long_run),      cmocka_unit_test(test_two_cpus),        cmocka_unit_test(test_report),
        cmocka_unit_test(test_not_again),     cmocka_unit_test(test_cannot_be_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
