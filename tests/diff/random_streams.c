/*
 * Random instruction streams, run twice in ways that must come to the same.
 *
 *     random_streams [seed [streams]]          every comparison, STREAMS each
 *     random_streams seed 1 COMPARISON         one of them
 *
 * What is compared: all of the architectural state and memory; and, unless the two differ in what is modelled, cycles
 * and every statistic. Deterministic: the same seed makes the same streams. When something differs, the first
 * instruction after which it does is found and printed with those around it; the exit status is 1. It is 1, too, if
 * some row of isa.def has never been executed.
 */
#include "tests/diff/harness.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_CPUS = 4, INSNS = 5000, HOOKS = 40 };

/* How a machine is brought to a number of instructions. */
enum drive {
    DRIVE_WHOLE,
    DRIVE_SLICES, /* of a fixed length */
    DRIVE_RANDOM_SLICES,
    DRIVE_STEPS, /* machine_step() */
    DRIVE_ONE_HOOK,
    DRIVE_HOOKS,
};

struct way {
    enum drive drive;
    unsigned slice;
    const char *const *assignments;
};

struct comparison {
    const char *name;
    bool time;       /* clocks and statistics must agree as well */
    bool interrupts; /* with the timer running */
    unsigned cpus;
    struct way a, b;
};

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CACHES   SET("cache.model=two-level")
#define FLAT     SET("cache.model=none")
#define SMALL                                                                                                          \
    SET("cache.l1i.size=1K", "cache.l1i.line=64", "cache.l1d.size=1K", "cache.l2.size=8K", "cpu.tlb_entries=16")
#define SMP(n, quantum) SET("machine.cpus=" #n, "machine.quantum=" #quantum)

static const struct comparison comparisons[] = {
    {"caches-or-not", false, false, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_WHOLE, 0, FLAT}},
    {"small-caches-or-not",
     false,
     false,
     1,
     {DRIVE_WHOLE, 0, SMALL},
     {DRIVE_WHOLE, 0, SET("cache.model=none", "cpu.tlb_entries=16")}},
    {"slices-of-1", true, false, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 1, CACHES}},
    {"slices-of-2", true, false, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_SLICES, 2, FLAT}},
    {"slices-of-3", true, false, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_SLICES, 3, SMALL}},
    {"slices-of-7", true, false, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 7, CACHES}},
    {"random-slices", true, false, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_RANDOM_SLICES, 0, CACHES}},
    {"steps", true, false, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_STEPS, 1, SMALL}},
    {"timer-slices-of-1", true, true, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 1, CACHES}},
    {"timer-slices-of-2", true, true, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_SLICES, 2, SMALL}},
    {"timer-slices-of-7", true, true, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_SLICES, 7, FLAT}},
    {"timer-random-slices", true, true, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_RANDOM_SLICES, 0, CACHES}},
    {"timer-steps", true, true, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_STEPS, 1, FLAT}},
    {"one-hook", true, true, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_ONE_HOOK, 0, CACHES}},
    {"hooks", true, true, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_HOOKS, 0, CACHES}},
    {"hooks-flat", true, true, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_HOOKS, 0, FLAT}},
    {"two-cpus-again", true, true, 2, {DRIVE_WHOLE, 0, SMP(2, 1)}, {DRIVE_WHOLE, 0, SMP(2, 1)}},
    {"two-cpus-slices", true, true, 2, {DRIVE_WHOLE, 0, SMP(2, 50)}, {DRIVE_RANDOM_SLICES, 0, SMP(2, 50)}},
    {"three-cpus-slices", true, true, 3, {DRIVE_WHOLE, 0, SMP(3, 7)}, {DRIVE_SLICES, 1, SMP(3, 7)}},
    {"four-cpus-slices", true, false, 4, {DRIVE_WHOLE, 0, SMP(4, 200)}, {DRIVE_SLICES, 5, SMP(4, 200)}},
    {"four-cpus-hooks", true, true, 4, {DRIVE_WHOLE, 0, SMP(4, 200)}, {DRIVE_HOOKS, 0, SMP(4, 200)}},
};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

struct test {
    struct isa_decoder *decoder;
    struct image image;
    struct stream streams[MAX_CPUS];
    uint64_t executed[ISA_COUNT]; /* by row */
    uint64_t exceptions[EXC_COUNT], insns, hooks_run;
};

/* ---- one stream ---- */

static void make_streams(struct test *test, const struct comparison *comparison, uint64_t seed)
{
    struct random random = random_seeded(seed);
    image_free(&test->image);
    image_create(&test->image);
    image_prepare(&test->image, &random);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++) {
        struct stream_kind kind = {
            .kernel = random_one_in(&random, 2),
            .fr = random_one_in(&random, 2),
            .time = comparison->time,
            .interrupts = comparison->interrupts,
            .length = 200 + random_below(&random, 1500),
            .code = LAYOUT_CODE + cpu * 0x8000 + PAGE_SIZE * random_below(&random, 2) + 16 * random_below(&random, 256),
        };
        if (random_one_in(&random, 2)) /* the beginning at the beginning of a page */
            kind.code &= ~(paddr)(PAGE_SIZE - 1);
        uint32_t period = comparison->interrupts ? 100 + random_below(&random, 1000) : 0;
        stream_generate(&test->streams[cpu], &kind, &random, test->decoder, &test->image);
        image_set_variables(&test->image, cpu, random_one_in(&random, 4) ? 0 : STATUS_UM, period);
    }
}

static bool count_hook(void *opaque, struct core *core)
{
    struct test *test = opaque;
    (void)core;
    test->hooks_run++;
    return false;
}

static void add_hooks(struct test *test, struct machine *machine, unsigned count, uint64_t seed)
{
    struct random random = random_seeded(seed ^ 0x686f6f6b);
    for (unsigned i = 0; i < count; i++) {
        unsigned cpu = random_below(&random, machine->cpus);
        vaddr pc = test->streams[cpu].context.start + 4 * random_below(&random, test->streams[cpu].count);
        if (random_one_in(&random, 8))
            pc = 0x80000000u + LAYOUT_DRIVER + 0x180;
        else if (random_one_in(&random, 8))
            pc |= 0x80000000u;
        core_hook_add(machine->cores[cpu], pc, count_hook, test);
        if (random_one_in(&random, 4))
            core_hook_add(machine->cores[cpu], pc, count_hook, test);
    }
}

/* Which row is CPU 0 about to execute? */
static void count_row(struct test *test, struct machine *machine)
{
    uint32_t word;
    if (core_debug_read(machine->cores[0], machine->cores[0]->s.pc, &word, sizeof word) == sizeof word)
        test->executed[isa_identify(test->decoder, word)]++;
}

static void drive(struct test *test, struct machine *machine, const struct way *way, uint64_t insns, uint64_t seed)
{
    struct random random = random_seeded(seed ^ 0x736c6963);
    enum machine_stop reason = MACHINE_STOP_INSNS;
    if (way->drive == DRIVE_ONE_HOOK || way->drive == DRIVE_HOOKS)
        add_hooks(test, machine, way->drive == DRIVE_HOOKS ? HOOKS : 1, seed);
    uint64_t at = 0;
    while (at < insns && reason == MACHINE_STOP_INSNS) {
        uint64_t count = insns - at;
        if (way->drive == DRIVE_SLICES || way->drive == DRIVE_STEPS)
            count = way->slice;
        if (way->drive == DRIVE_RANDOM_SLICES)
            count = random_one_in(&random, 2) ? 1 + random_below(&random, 4) : 1 + random_below(&random, 200);
        if (count > insns - at)
            count = insns - at;
        if (count == 1)
            count_row(test, machine);
        at += count;
        if (way->drive == DRIVE_STEPS)
            reason = machine_step(machine, 0, count);
        else
            reason = machine_run(machine, &(struct machine_limits){CYCLES_NEVER, at});
    }
}

static struct machine *run(struct test *test, const struct comparison *comparison, const struct way *way,
                           uint64_t insns, uint64_t seed)
{
    struct machine *machine = harness_machine(way->assignments);
    harness_load(machine, &test->image);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++)
        harness_start(machine, cpu, &test->streams[cpu].context);
    drive(test, machine, way, insns, seed);
    return machine;
}

static bool differs(struct test *test, const struct comparison *comparison, uint64_t insns, uint64_t seed, char *text,
                    size_t size)
{
    struct machine *a = run(test, comparison, &comparison->a, insns, seed);
    struct machine *b = run(test, comparison, &comparison->b, insns, seed);
    struct err err = {""};
    const char *difference = harness_compare(a, b, comparison->time, text, size);
    if (!difference && (!machine_check_accounts(a, &err) || !machine_check_accounts(b, &err))) {
        snprintf(text, size, "%s", err.text);
        difference = text;
    }
    for (unsigned i = 0; i < EXC_COUNT; i++)
        test->exceptions[i] += a->cores[0]->counts.exceptions[i];
    test->insns += machine_insns(a) + machine_insns(b);
    machine_free(a);
    machine_free(b);
    return difference != NULL;
}

/* ---- reports ---- */

static void print_around(struct test *test, struct machine *machine, unsigned cpu)
{
    const struct cpu *s = &machine->cores[cpu]->s;
    printf("cpu %u: Status %08" PRIx32 ", Cause %08" PRIx32 ", EPC %08" PRIx32 "%s\n", cpu, s->cp0[CP0_STATUS],
           s->cp0[CP0_CAUSE], s->cp0[CP0_EPC], s->in_delay_slot ? ", in a delay slot" : "");
    for (unsigned i = 0; i < 32; i++)
        printf("%5s %08" PRIx32 "%s", isa_gpr_name(i), s->gpr[i], i % 8 == 7 ? "\n" : "");
    for (vaddr pc = s->pc - 24; pc != s->pc + 20; pc += 4) {
        uint32_t word;
        char line[128] = "not there";
        if (core_debug_read(machine->cores[cpu], pc, &word, sizeof word) == sizeof word)
            isa_disassemble(test->decoder, word, pc, line, sizeof line);
        printf("%s %08" PRIx32 "  %s\n", pc == s->pc ? "=>" : "  ", pc, line);
    }
}

/* The stream of SEED differs after INSNS: find the first instruction after which it does. */
static void report(struct test *test, const struct comparison *comparison, uint64_t insns, uint64_t seed)
{
    char text[512];
    uint64_t low = 0, high = insns; /* equal at low, different at high */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (differs(test, comparison, middle, seed, text, sizeof text))
            high = middle;
        else
            low = middle;
    }
    differs(test, comparison, high, seed, text, sizeof text);
    printf("FAIL %s, seed %" PRIu64 ": after instruction %" PRIu64 " %s\n", comparison->name, seed, high, text);
    printf("again: random_streams %" PRIu64 " 1 %s\n", seed, comparison->name);
    struct machine *machine = run(test, comparison, &comparison->a, low, seed);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++)
        print_around(test, machine, cpu);
    machine_free(machine);
}

static bool rows_are_covered(const struct test *test)
{
    bool covered = true;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        if (test->executed[id])
            continue;
        printf("FAIL: no stream has executed %s\n", isa_table[id].mnemonic);
        covered = false;
    }
    return covered;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 60;
    const char *only = argc > 3 ? argv[3] : NULL;
    struct test *test = calloc(1, sizeof *test);
    bool passed = true;
    if (!test)
        return 1;
    test->decoder = isa_decoder_create();
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const struct comparison *comparison = &comparisons[i];
        bool same = true;
        if (only && strcmp(only, comparison->name) != 0)
            continue;
        for (uint64_t n = seed; n < seed + count && same; n++) {
            char text[512];
            make_streams(test, comparison, n);
            same = !differs(test, comparison, INSNS, n, text, sizeof text);
            if (!same)
                report(test, comparison, INSNS, n);
        }
        passed = passed && same;
    }
    printf("seed %" PRIu64 ": %" PRIu64 " instructions, %" PRIu64 " hooks; exceptions", seed, test->insns,
           test->hooks_run);
    for (unsigned i = 0; i < EXC_COUNT; i++)
        if (test->exceptions[i])
            printf(" %u: %" PRIu64, i, test->exceptions[i]);
    printf("\n");
    if (!only && count >= 20)
        passed = rows_are_covered(test) && passed;
    image_free(&test->image);
    isa_decoder_free(test->decoder);
    free(test);
    return passed ? 0 : 1;
}
