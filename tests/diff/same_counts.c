/*
 * The same counts however a machine is simulated and looked at: random memory systems, of 1 to 8 CPUs, that run random
 * streams or loops over shared arrays, interpreted, translated by each in-order model, classified, profiled, traced at
 * each level, checked, in slices and with hooks. All statistics that do not say who looks must be those of the plain
 * interpreter; under mxs, whose time is its own, those of mxs without observers.
 *
 *     same_counts [seed [machines]]
 *     same_counts seed 1 LOOK [INSNS]  one machine, in one way, over INSNS instructions
 *
 * On a difference the machine is printed as arguments of --set, with the counters that differ; the exit status is 1.
 */
#include "cache/memsys.h"
#include "cache/observe/observe.h"
#include "src/run/compare.h"
#include "tests/diff/harness.h"
#include "tests/diff/loops.h"
#include "tests/diff/random_machine.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CPUS = 8, INSNS = 12000, HOOKS = 20, SETS = 5, MAX_ASSIGNMENTS = RANDOM_MACHINE_SETTINGS + SETS + 8 };

/* What looks at a run. */
enum {
    IN_SLICES = 1 << 0,
    HOOKED = 1 << 1,
    TRACED = 1 << 2,       /* every reference, as `simos run --trace` */
    TRACED_OUTER = 1 << 3, /* the last level's references */
    SWEPT = 1 << 4,        /* an observer that withdraws permissions, as a sweep does */
    CLASSIFIED = 1 << 5,   /* the miss classification, which some machines exclude */
    MIDWAY = 1 << 6,       /* the observer comes after a third of the run and leaves after two */
};

struct look {
    const char *name;
    unsigned flags;
    const char *set[SETS]; /* assignments */
};

#define MIPSY(after) "cpu.model=mipsy", "mipsy.translate_after=" #after
#define EMBRA(after) "cpu.model=embra", "mipsy.translate_after=" #after

static const struct look in_order[] = {
    {"plain", 0, {MIPSY(0)}},
    {"mipsy-cold", 0, {MIPSY(1000000000)}},
    {"mipsy-translated", 0, {MIPSY(1)}},
    {"mipsy-warm", 0, {MIPSY(32)}},
    {"embra", 0, {EMBRA(0)}},
    {"embra-warm", 0, {EMBRA(32)}},
    {"embra-cold", 0, {EMBRA(1000000000)}},
    {"slices", IN_SLICES, {EMBRA(1)}},
    {"hooks", HOOKED, {MIPSY(1)}},
    {"executions", 0, {MIPSY(1), "execution.counts=profile"}},
    {"checked", 0, {EMBRA(1), "cache.check_interval=37"}},
    {"full", CLASSIFIED, {MIPSY(0), "cache.classify=full"}},
    {"full-translated", CLASSIFIED, {MIPSY(1), "cache.classify=full"}},
    {"sharing-embra", CLASSIFIED, {EMBRA(0), "cache.classify=sharing"}},
    {"replacement-translated", CLASSIFIED, {MIPSY(1), "cache.classify=replacement"}},
    {"profiled", CLASSIFIED, {EMBRA(1), "cache.classify=replacement", "cache.profile=both"}},
    {"traced", TRACED, {MIPSY(0)}},
    {"traced-translated", TRACED, {MIPSY(1)}},
    {"traced-embra-outer", TRACED_OUTER, {EMBRA(1)}},
    {"swept", SWEPT, {MIPSY(1)}},
    {"traced-midway", TRACED | MIDWAY, {EMBRA(0)}},
    {"swept-midway", SWEPT | MIDWAY, {MIPSY(32)}},
    {"traced-classified", TRACED | CLASSIFIED, {EMBRA(1), "cache.classify=full"}},
};

#define MXS "cpu.model=mxs"

static const struct look out_of_order[] = {
    {"mxs", 0, {MXS}},
    {"mxs-slices", IN_SLICES, {MXS}},
    {"mxs-hooks", HOOKED, {MXS}},
    {"mxs-checked", 0, {MXS, "cache.check_interval=37"}},
    {"mxs-full", CLASSIFIED, {MXS, "cache.classify=full"}},
    {"mxs-profiled", CLASSIFIED, {MXS, "cache.classify=sharing", "cache.profile=both", "execution.counts=profile"}},
    {"mxs-traced", TRACED, {MXS}},
    {"mxs-traced-outer", TRACED_OUTER, {MXS}},
    {"mxs-traced-midway", TRACED | MIDWAY, {MXS}},
};

/* A machine with the streams that it runs. */
struct test {
    struct isa_decoder *decoder;
    struct image image;
    struct stream streams[MAX_CPUS];
    struct random_machine memory;
    unsigned cpus;
    bool has_loops; /* the programs of loops.h instead of streams */
    uint64_t seed, insns;
    char settings[4][40]; /* CPUs, quantum ... */
    uint64_t references, compared;
};

static void make_streams(struct test *test, struct random *random)
{
    const bool hard = random_one_in(random, 2), same = random_one_in(random, 3), interrupts = random_one_in(random, 2);
    image_free(&test->image);
    image_create(&test->image);
    image_prepare(&test->image, random);
    image_add_spaces(&test->image);
    for (unsigned cpu = 0; test->has_loops && cpu < test->cpus; cpu++) {
        loops_generate(&test->streams[cpu].context, cpu, random, &test->image);
        test->streams[cpu].count = PAGE_SIZE / 4;
        image_set_variables(&test->image, cpu, 0, 0);
    }
    for (unsigned cpu = 0; !test->has_loops && cpu < test->cpus; cpu++) {
        const struct stream_kind kind = {
            .kernel = random_below(random, 4) != 0,
            .fr = random_one_in(random, 2),
            .time = random_one_in(random, 2),
            .interrupts = interrupts,
            .hard = hard,
            .length = 100 + random_below(random, random_one_in(random, 2) ? 400 : 3000),
            .code = LAYOUT_CODE + cpu * 0x8000 + 16 * random_below(random, 512),
        };
        if (cpu > 0 && same) { /* the same code with other data */
            test->streams[cpu] = test->streams[0];
            for (unsigned i = 1; i < 16; i++)
                test->streams[cpu].context.gpr[i] = image_interesting_word(random);
        } else {
            stream_generate(&test->streams[cpu], &kind, random, test->decoder, &test->image);
        }
        image_set_variables(&test->image, cpu, random_one_in(random, 3) ? 0 : STATUS_UM,
                            interrupts ? 100 + random_below(random, 1000) : 0);
    }
}

static void make_test(struct test *test, uint64_t seed)
{
    static const uint16_t quanta[] = {1, 2, 7, 50, 200, 200, 1000};
    static const uint8_t cpus[] = {1, 1, 1, 2, 2, 3, 4, 8};
    struct random random = random_seeded(seed);
    test->seed = seed;
    test->cpus = cpus[random_below(&random, sizeof cpus)];
    snprintf(test->settings[0], sizeof test->settings[0], "machine.cpus=%u", test->cpus);
    snprintf(test->settings[1], sizeof test->settings[1], "machine.quantum=%u",
             quanta[random_below(&random, sizeof quanta / sizeof quanta[0])]);
    snprintf(test->settings[2], sizeof test->settings[2], "cpu.tlb_entries=%u", 16u << random_below(&random, 3));
    char pages[64];
    snprintf(pages, sizeof pages, "0x%x-0x%x", LAYOUT_DATA, LAYOUT_DATA + 0x1fff);
    random_machine_draw(&test->memory, &random, test->cpus, pages);
    test->has_loops = random_one_in(&random, 2);
    make_streams(test, &random);
    test->insns = (random_one_in(&random, 4) ? 3 * INSNS : INSNS) * (1 + test->cpus) / 2;
}

/* Looking */

static bool count_hook(void *opaque, struct core *core)
{
    struct test *test = opaque;
    core_sync(core);
    test->references++;
    return false;
}

static void add_hooks(struct test *test, struct machine *machine)
{
    struct random random = random_seeded(test->seed ^ 0x686f6f6b);
    for (unsigned i = 0; i < HOOKS; i++) {
        const unsigned cpu = random_below(&random, machine->cpus);
        vaddr pc = test->streams[cpu].context.start + 4 * random_below(&random, test->streams[cpu].count);
        if (random_one_in(&random, 8))
            pc = 0x80000000u + LAYOUT_DRIVER + 0x180;
        core_hook_add(machine->cores[cpu], pc, count_hook, test);
    }
}

static void count_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct test *test = opaque;
    (void)reference;
    (void)permission;
    test->references++;
}

/* A sweep withdraws the permission of lines that are not in all of its caches. */
static void withdraw_some(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct test *test = opaque;
    test->references++;
    if (permission && (reference->address >> 6 ^ test->references) % 3 == 0)
        *permission = 0;
}

static void trace_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    count_reference(opaque, reference, permission);
    if (permission)
        *permission = 0;
}

static struct observer *begin_to_observe(struct test *test, struct machine *machine, unsigned flags)
{
    if (flags & TRACED)
        return observe_begin(machine->memsys, 1, trace_reference, test);
    if (flags & SWEPT)
        return observe_begin(machine->memsys, 1, withdraw_some, test);
    if (!(flags & TRACED_OUTER))
        return NULL;
    unsigned level = 3;
    while (level > 1 && memsys_line(machine->memsys, level == 3 ? MEMSYS_L3 : MEMSYS_L2) == 0)
        level--;
    return observe_begin(machine->memsys, level, level == 1 ? trace_reference : count_reference, test);
}

/* Run MACHINE to INSNS instructions. */
static void run_to(struct machine *machine, uint64_t insns)
{
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, insns});
}

static void run_in_slices(const struct test *test, struct machine *machine)
{
    struct random random = random_seeded(test->seed ^ 0x736c6963);
    enum machine_stop reason = MACHINE_STOP_INSNS;
    for (uint64_t at = 0; at < test->insns && reason == MACHINE_STOP_INSNS;) {
        at += 1 + random_below(&random, random_one_in(&random, 2) ? 4 : 300);
        reason = machine_run(machine, &(struct machine_limits){CYCLES_NEVER, at < test->insns ? at : test->insns});
    }
}

static void run_observed(struct test *test, struct machine *machine, unsigned flags)
{
    if (flags & MIDWAY)
        run_to(machine, test->insns / 3);
    struct observer *observer = begin_to_observe(test, machine, flags);
    run_to(machine, flags & MIDWAY ? test->insns * 2 / 3 : test->insns);
    observe_end(observer);
    run_to(machine, test->insns);
}

/* The machine of TEST after its run. */
static struct machine *run(struct test *test, const struct look *look)
{
    const char *assignments[MAX_ASSIGNMENTS + 1];
    unsigned count = 0;
    for (unsigned i = 0; i < SETS && look->set[i]; i++)
        assignments[count++] = look->set[i];
    for (unsigned i = 0; i < 4 && test->settings[i][0]; i++)
        assignments[count++] = test->settings[i];
    for (unsigned i = 0; i < test->memory.count; i++)
        assignments[count++] = test->memory.setting[i];
    assignments[count] = NULL;
    struct machine *machine = harness_machine(assignments);
    harness_load(machine, &test->image);
    for (unsigned cpu = 0; cpu < test->cpus; cpu++)
        harness_start(machine, cpu, &test->streams[cpu].context);
    if (look->flags & HOOKED)
        add_hooks(test, machine);
    if (look->flags & IN_SLICES)
        run_in_slices(test, machine);
    else
        run_observed(test, machine, look->flags);
    return machine;
}

static void report(const struct test *test, const struct look *look, const char *difference, struct machine *plain,
                   struct machine *other)
{
    printf("FAIL seed %" PRIu64 ": %s: %s\nagain: same_counts %" PRIu64 " 1 %s\n", test->seed, look->name, difference,
           test->seed, look->name);
    harness_print_differences(plain, other, 24);
    printf("%s %s %s ", test->settings[0], test->settings[1], test->settings[2]);
    random_machine_print(&test->memory);
}

/* Compare all ways of LOOKS, or the one called ONLY, with the first. */
static bool compare_looks(struct test *test, const struct look *looks, unsigned count, const char *only)
{
    struct machine *plain = NULL;
    bool passed = true;
    for (unsigned i = 1; i < count; i++) {
        char text[512];
        struct err err = {""};
        const struct look *look = &looks[i];
        if ((only && strcmp(only, look->name) != 0) || (look->flags & CLASSIFIED && test->memory.validates))
            continue;
        if (!plain)
            plain = run(test, &looks[0]);
        struct machine *other = run(test, look);
        const char *difference = harness_compare(plain, other, true, text, sizeof text);
        if (!difference && (!machine_check_accounts(plain, &err) || !machine_check_accounts(other, &err)))
            difference = err.text;
        if (difference)
            report(test, look, difference, plain, other);
        passed = passed && !difference;
        test->compared++;
        machine_free(other);
    }
    if (plain)
        machine_free(plain);
    return passed;
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t machines = argc > 2 ? strtoull(argv[2], NULL, 0) : 60;
    const char *only = argc > 3 ? argv[3] : NULL;
    uint64_t failed = 0;
    struct test *test = calloc(1, sizeof *test);
    if (!test)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a long run may be ended before its end */
    test->decoder = isa_decoder_create(LEVEL_32R2);
    for (uint64_t n = seed; n < seed + machines; n++) {
        make_test(test, n);
        if (argc > 4)
            test->insns = strtoull(argv[4], NULL, 0);
        bool passed = compare_looks(test, in_order, sizeof in_order / sizeof in_order[0], only);
        passed &= compare_looks(test, out_of_order, sizeof out_of_order / sizeof out_of_order[0], only);
        failed += !passed;
    }
    printf("seed %" PRIu64 ": %" PRIu64 " machines, %" PRIu64 " comparisons, %" PRIu64 " machines differ\n", seed,
           machines, test->compared, failed);
    image_free(&test->image);
    isa_decoder_free(test->decoder);
    free(test);
    return failed ? 1 : 0;
}
