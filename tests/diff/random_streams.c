/*
 * Random instruction streams, executed in two ways that must give identical results.
 *
 *     random_streams [seed [streams]]          every comparison, STREAMS each
 *     random_streams seed 1 COMPARISON         one comparison
 *     random_streams seed 1 COMPARISON MODEL   with this CPU model as the second
 *
 * Compared: all architectural state and memory and, unless the two model different timing, cycles and all statistics.
 * Comparisons of CPU models run mipsy and another model side by side and compare them at each stop, and what PC hooks
 * observe; without a second model it is mipsy again. Deterministic. On a difference the first differing instruction
 * is printed with its neighbours; the exit status is 1. It is also 1 if a row of isa.def was never executed.
 */
#include "src/run/compare.h"
#include "tests/diff/harness.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_CPUS = 4, INSNS = 5000, HOT_INSNS = 40000, HOOKS = 40, MAX_ASSIGNMENTS = 16 };

/* How a machine is run to an instruction count. */
enum drive {
    DRIVE_WHOLE,
    DRIVE_SLICES, /* slices of fixed length */
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

/* Flags of a comparison. */
enum {
    TIME = 1 << 0,       /* time and statistics must agree as well */
    INTERRUPTS = 1 << 1, /* with timer interrupts */
    MODELS = 1 << 2,     /* both run alike, with different CPU models */
    SHARED = 1 << 3,     /* all processors execute the same code */
    HOT = 1 << 4,        /* longer streams */
};

struct comparison {
    const char *name;
    unsigned flags, cpus;
    struct way a, b;
};

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CACHES   SET("cache.model=two-level")
#define FLAT     SET("cache.model=none")
#define SMALL                                                                                                          \
    SET("cache.l1i.size=1K", "cache.l1i.line=64", "cache.l1d.size=1K", "cache.l2.size=8K", "cpu.tlb_entries=16")
#define SMP(n, quantum) SET("machine.cpus=" #n, "machine.quantum=" #quantum)

#define MXS(...) SET("cpu.model=mxs", "mxs.check=on", __VA_ARGS__)
#define MXS_SMALL                                                                                                      \
    MXS("cache.l1i.size=1K", "cache.l1i.line=64", "cache.l1d.size=1K", "cache.l2.size=8K", "cpu.tlb_entries=16",       \
        "cache.l1d.outstanding=4", "cache.l2.outstanding=3", "cache.l1d.ports=2", "mxs.branch_predictor=gshare",       \
        "mxs.gshare.counters=16")
#define MXS_NARROW                                                                                                     \
    MXS("cache.model=none", "mxs.fetch_width=1", "mxs.issue_width=1", "mxs.graduate_width=1", "mxs.window=3",          \
        "mxs.load_store_queue=1", "mxs.branches=1", "mxs.return_stack=0", "mxs.indirect_targets=0",                    \
        "mxs.branch_predictor=tournament")
#define MXS_WIDE                                                                                                       \
    MXS("mxs.fetch_width=8", "mxs.issue_width=8", "mxs.graduate_width=8", "mxs.window=512",                            \
        "mxs.load_store_queue=200", "mxs.branches=100", "cache.l1d.ports=8", "cache.l1d.outstanding=16",               \
        "cache.l1i.ports=4", "mxs.branch_predictor=tage")
#define MXS_SMP(n, quantum) MXS("machine.cpus=" #n, "machine.quantum=" #quantum, "cache.l1d.outstanding=4")

#define INTERPRETED(...) SET("mipsy.translate_after=0", ##__VA_ARGS__)
#define BLOCKS(...)      SET("mipsy.translate_after=1", ##__VA_ARGS__)
#define TINY             "cache.l1i.size=1K", "cache.l1i.line=32", "cache.l1d.size=1K", "cache.l2.size=8K", "cpu.tlb_entries=16"
#define FULL             "cache.classify=full"

static const struct comparison comparisons[] = {
    {"caches-or-not", 0, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_WHOLE, 0, FLAT}},
    {"small-caches-or-not",
     0,
     1,
     {DRIVE_WHOLE, 0, SMALL},
     {DRIVE_WHOLE, 0, SET("cache.model=none", "cpu.tlb_entries=16")}},
    {"slices-of-1", TIME, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 1, CACHES}},
    {"slices-of-2", TIME, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_SLICES, 2, FLAT}},
    {"slices-of-3", TIME, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_SLICES, 3, SMALL}},
    {"slices-of-7", TIME, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 7, CACHES}},
    {"random-slices", TIME, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_RANDOM_SLICES, 0, CACHES}},
    {"steps", TIME, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_STEPS, 1, SMALL}},
    {"timer-slices-of-1", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_SLICES, 1, CACHES}},
    {"timer-slices-of-2", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, SMALL}, {DRIVE_SLICES, 2, SMALL}},
    {"timer-slices-of-7", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_SLICES, 7, FLAT}},
    {"timer-random-slices", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_RANDOM_SLICES, 0, CACHES}},
    {"timer-steps", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_STEPS, 1, FLAT}},
    {"one-hook", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_ONE_HOOK, 0, CACHES}},
    {"hooks", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, CACHES}, {DRIVE_HOOKS, 0, CACHES}},
    {"hooks-flat", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_HOOKS, 0, FLAT}},
    {"two-cpus-again", TIME | INTERRUPTS, 2, {DRIVE_WHOLE, 0, SMP(2, 1)}, {DRIVE_WHOLE, 0, SMP(2, 1)}},
    {"two-cpus-slices", TIME | INTERRUPTS, 2, {DRIVE_WHOLE, 0, SMP(2, 50)}, {DRIVE_RANDOM_SLICES, 0, SMP(2, 50)}},
    {"three-cpus-slices", TIME | INTERRUPTS, 3, {DRIVE_WHOLE, 0, SMP(3, 7)}, {DRIVE_SLICES, 1, SMP(3, 7)}},
    {"four-cpus-slices", TIME, 4, {DRIVE_WHOLE, 0, SMP(4, 200)}, {DRIVE_SLICES, 5, SMP(4, 200)}},
    {"four-cpus-hooks", TIME | INTERRUPTS, 4, {DRIVE_WHOLE, 0, SMP(4, 200)}, {DRIVE_HOOKS, 0, SMP(4, 200)}},
    /* mxs has the results of mipsy, and its timing does not depend on observers; mxs.check compares every graduating
     * instruction, so interrupts and several CPUs are tested too. */
    /* mipsy's translated blocks behave like its interpreter. */
    {"blocks", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, INTERPRETED()}, {DRIVE_WHOLE, 0, BLOCKS()}},
    {"blocks-hot", TIME | INTERRUPTS | HOT, 1, {DRIVE_WHOLE, 0, INTERPRETED()}, {DRIVE_RANDOM_SLICES, 0, BLOCKS()}},
    {"blocks-slices-of-23", TIME, 1, {DRIVE_WHOLE, 0, INTERPRETED()}, {DRIVE_SLICES, 23, BLOCKS()}},
    {"blocks-small", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, INTERPRETED(TINY)}, {DRIVE_RANDOM_SLICES, 0, BLOCKS(TINY)}},
    {"blocks-hooks", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, INTERPRETED()}, {DRIVE_HOOKS, 0, BLOCKS()}},
    {"blocks-classified", TIME, 1, {DRIVE_WHOLE, 0, INTERPRETED(FULL)}, {DRIVE_RANDOM_SLICES, 0, BLOCKS(FULL)}},
    {"blocks-classified-hot",
     TIME | INTERRUPTS | HOT,
     1,
     {DRIVE_WHOLE, 0, INTERPRETED(FULL, TINY)},
     {DRIVE_WHOLE, 0, BLOCKS(FULL, TINY)}},
    {"blocks-two-cpus",
     TIME | INTERRUPTS,
     2,
     {DRIVE_WHOLE, 0, INTERPRETED(FULL, "machine.cpus=2", "machine.quantum=53")},
     {DRIVE_RANDOM_SLICES, 0, BLOCKS(FULL, "machine.cpus=2", "machine.quantum=53")}},
    {"blocks-four-cpus",
     TIME,
     4,
     {DRIVE_WHOLE, 0, INTERPRETED("machine.cpus=4", "machine.quantum=200")},
     {DRIVE_WHOLE, 0, BLOCKS("machine.cpus=4", "machine.quantum=200")}},
    {"mxs", 0, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_WHOLE, 0, MXS("cache.model=two-level")}},
    {"mxs-flat", 0, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_RANDOM_SLICES, 0, MXS("cache.model=none")}},
    {"mxs-small-caches",
     0,
     1,
     {DRIVE_WHOLE, 0, SET("cache.model=none", "cpu.tlb_entries=16")},
     {DRIVE_WHOLE, 0, MXS_SMALL}},
    {"mxs-narrow", 0, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_WHOLE, 0, MXS_NARROW}},
    {"mxs-wide", 0, 1, {DRIVE_WHOLE, 0, FLAT}, {DRIVE_WHOLE, 0, MXS_WIDE}},
    {"mxs-slices-of-1", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, MXS_WIDE}, {DRIVE_SLICES, 1, MXS_WIDE}},
    {"mxs-slices-of-7", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, MXS_SMALL}, {DRIVE_SLICES, 7, MXS_SMALL}},
    {"mxs-random-slices", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, MXS_SMALL}, {DRIVE_RANDOM_SLICES, 0, MXS_SMALL}},
    {"mxs-steps", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, MXS_NARROW}, {DRIVE_STEPS, 1, MXS_NARROW}},
    {"mxs-hooks", TIME | INTERRUPTS, 1, {DRIVE_WHOLE, 0, MXS_WIDE}, {DRIVE_HOOKS, 0, MXS_WIDE}},
    {"mxs-two-cpus", TIME | INTERRUPTS, 2, {DRIVE_WHOLE, 0, MXS_SMP(2, 1)}, {DRIVE_RANDOM_SLICES, 0, MXS_SMP(2, 1)}},
    {"mxs-four-cpus", TIME | INTERRUPTS, 4, {DRIVE_WHOLE, 0, MXS_SMP(4, 200)}, {DRIVE_SLICES, 5, MXS_SMP(4, 200)}},
};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

#define MODELS_BY(NAME, FLAGS, CPUS, DRIVE, SLICE, ...)                                                                \
    {                                                                                                                  \
        NAME, TIME | MODELS | (FLAGS), CPUS, {DRIVE, SLICE, __VA_ARGS__},                                              \
        {                                                                                                              \
            DRIVE, SLICE, __VA_ARGS__                                                                                  \
        }                                                                                                              \
    }
#define FLAT_SMP(n, quantum) SET("machine.cpus=" #n, "machine.quantum=" #quantum, "cache.model=none")
#define FLAT_SMALL           SET("cache.model=none", "cpu.tlb_entries=16")

/* Comparisons of CPU models with equal timing, i.e. not mxs. */
static const struct comparison model_comparisons[] = {
    MODELS_BY("models-flat", 0, 1, DRIVE_WHOLE, 0, FLAT),
    MODELS_BY("models-flat-hot", HOT, 1, DRIVE_WHOLE, 0, FLAT),
    MODELS_BY("models-flat-timer-hot", INTERRUPTS | HOT, 1, DRIVE_RANDOM_SLICES, 0, FLAT_SMALL),
    MODELS_BY("models-caches-hot", INTERRUPTS | HOT, 1, DRIVE_RANDOM_SLICES, 0, CACHES),
    MODELS_BY("models-little-code", INTERRUPTS | HOT, 1, DRIVE_RANDOM_SLICES, 0,
              SET("cache.model=none", "embra.code_cache=1M")),
    MODELS_BY("models-caches", 0, 1, DRIVE_WHOLE, 0, CACHES),
    MODELS_BY("models-small-caches", INTERRUPTS, 1, DRIVE_WHOLE, 0, SMALL),
    MODELS_BY("models-flat-slices-of-1", INTERRUPTS, 1, DRIVE_SLICES, 1, FLAT),
    MODELS_BY("models-flat-slices-of-2", INTERRUPTS, 1, DRIVE_SLICES, 2, FLAT_SMALL),
    MODELS_BY("models-flat-slices-of-7", INTERRUPTS, 1, DRIVE_SLICES, 7, FLAT),
    MODELS_BY("models-flat-random-slices", INTERRUPTS, 1, DRIVE_RANDOM_SLICES, 0, FLAT),
    MODELS_BY("models-flat-random-slices-2", 0, 1, DRIVE_RANDOM_SLICES, 0, FLAT_SMALL),
    MODELS_BY("models-caches-slices-of-3", INTERRUPTS, 1, DRIVE_SLICES, 3, CACHES),
    MODELS_BY("models-caches-random-slices", INTERRUPTS, 1, DRIVE_RANDOM_SLICES, 0, CACHES),
    MODELS_BY("models-small-random-slices", INTERRUPTS, 1, DRIVE_RANDOM_SLICES, 0, SMALL),
    MODELS_BY("models-flat-steps", INTERRUPTS, 1, DRIVE_STEPS, 1, FLAT),
    MODELS_BY("models-flat-hooks", INTERRUPTS, 1, DRIVE_HOOKS, 0, FLAT),
    MODELS_BY("models-caches-hooks", INTERRUPTS, 1, DRIVE_HOOKS, 0, CACHES),
    MODELS_BY("models-one-hook", INTERRUPTS, 1, DRIVE_ONE_HOOK, 0, FLAT),
    MODELS_BY("models-two-cpus", INTERRUPTS, 2, DRIVE_RANDOM_SLICES, 0, FLAT_SMP(2, 1)),
    MODELS_BY("models-two-cpus-shared", INTERRUPTS | SHARED, 2, DRIVE_RANDOM_SLICES, 0, FLAT_SMP(2, 53)),
    MODELS_BY("models-three-cpus", INTERRUPTS, 3, DRIVE_SLICES, 11, FLAT_SMP(3, 7)),
    MODELS_BY("models-three-cpus-caches", INTERRUPTS | SHARED, 3, DRIVE_RANDOM_SLICES, 0, SMP(3, 31)),
    MODELS_BY("models-four-cpus", INTERRUPTS | HOT, 4, DRIVE_WHOLE, 0, FLAT_SMP(4, 200)),
    MODELS_BY("models-four-cpus-hooks", INTERRUPTS | SHARED, 4, DRIVE_HOOKS, 0, FLAT_SMP(4, 97)),
};
enum { MODEL_COMPARISONS = sizeof model_comparisons / sizeof model_comparisons[0] };

struct test {
    struct isa_decoder *decoder;
    struct image image;
    struct stream streams[MAX_CPUS];
    uint64_t executed[ISA_COUNT]; /* executions by row */
    uint64_t exceptions[EXCEPTION_CODES], insns, hooks_run;
    const char *second;    /* CPU model of machine b in comparisons of models */
    bool verbose;          /* print differences */
    uint64_t *hook_digest; /* of the running machine: hash of the hooks' observations */
};

/* ---- one stream ---- */

/* Use different streams for each comparison. */
static uint64_t seed_of(const struct comparison *comparison, uint64_t seed)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const char *at = comparison->name; *at; at++)
        hash = (hash ^ (uint8_t)*at) * 1099511628211u;
    return hash + seed;
}

static void make_streams(struct test *test, const struct comparison *comparison, uint64_t seed)
{
    struct random random = random_seeded(seed_of(comparison, seed));
    image_free(&test->image);
    image_create(&test->image);
    image_prepare(&test->image, &random);
    image_add_spaces(&test->image);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++) {
        bool hard = comparison->flags & MODELS && !random_one_in(&random, 4);
        struct stream_kind kind = {
            .kernel = random_one_in(&random, 2) || (hard && random_one_in(&random, 2)),
            .fr = random_one_in(&random, 2),
            .time = comparison->flags & TIME,
            .interrupts = comparison->flags & INTERRUPTS,
            .hard = hard,
            .length = 200 + random_below(&random, 1500),
            .code = LAYOUT_CODE + cpu * 0x8000 + PAGE_SIZE * random_below(&random, 2) + 16 * random_below(&random, 256),
        };
        if (random_one_in(&random, 2)) /* start the code at the start of a page */
            kind.code &= ~(paddr)(PAGE_SIZE - 1);
        if (hard && random_one_in(&random, 2)) { /* a short stream that crosses a page boundary */
            kind.length = 150 + random_below(&random, 400);
            kind.code = LAYOUT_CODE + cpu * 0x8000 + PAGE_SIZE - 4 * random_below(&random, kind.length);
        }
        uint32_t period = comparison->flags & INTERRUPTS ? 100 + random_below(&random, 1000) : 0;
        if (cpu > 0 && comparison->flags & SHARED) { /* the same code with other data */
            struct context *context = &test->streams[cpu].context;
            test->streams[cpu] = test->streams[0];
            for (unsigned i = 1; i < 16; i++)
                context->gpr[i] = image_interesting_word(&random);
        } else {
            stream_generate(&test->streams[cpu], &kind, &random, test->decoder, &test->image);
        }
        image_set_variables(&test->image, cpu, random_one_in(&random, hard ? 2 : 4) ? 0 : STATUS_UM, period);
    }
}

/* Check that hooks observe the architectural state before their instruction. */
static bool count_hook(void *opaque, struct core *core)
{
    struct test *test = opaque;
    const struct cpu *s = &core->s;
    core_sync(core);
    uint64_t digest = *test->hook_digest ^ s->pc ^ s->insns << 32 ^ s->cycle;
    for (unsigned i = 0; i < 32; i++)
        digest = (digest ^ s->gpr[i]) * 0x9e3779b97f4a7c15u;
    digest = (digest ^ s->hi ^ (uint64_t)s->lo << 32 ^ s->fcr31) * 0x9e3779b97f4a7c15u;
    *test->hook_digest = digest ^ digest >> 29;
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

/* Count the row that CPU 0 is about to execute. */
static void count_row(struct test *test, struct machine *machine)
{
    uint32_t word;
    if (core_debug_read(machine->cores[0], machine->cores[0]->s.pc, &word, sizeof word) == sizeof word)
        test->executed[isa_identify(test->decoder, word)]++;
}

/* Length of the next slice, with LEFT instructions to go. */
static uint64_t next_slice(const struct way *way, struct random *random, uint64_t left)
{
    uint64_t count = left;
    if (way->drive == DRIVE_SLICES || way->drive == DRIVE_STEPS)
        count = way->slice;
    if (way->drive == DRIVE_RANDOM_SLICES)
        count = random_one_in(random, 2) ? 1 + random_below(random, 4) : 1 + random_below(random, 200);
    return count < left ? count : left;
}

/* Run COUNT instructions, up to instruction AT. */
static enum machine_stop run_slice(struct machine *machine, const struct way *way, uint64_t count, uint64_t at)
{
    if (way->drive == DRIVE_STEPS)
        return machine_step(machine, 0, count);
    return machine_run(machine, &(struct machine_limits){CYCLES_NEVER, at});
}

static void drive(struct test *test, struct machine *machine, const struct way *way, uint64_t insns, uint64_t seed)
{
    struct random random = random_seeded(seed ^ 0x736c6963);
    enum machine_stop reason = MACHINE_STOP_INSNS;
    uint64_t at = 0;
    while (at < insns && reason == MACHINE_STOP_INSNS) {
        uint64_t count = next_slice(way, &random, insns - at);
        if (count == 1)
            count_row(test, machine);
        at += count;
        reason = run_slice(machine, way, count, at);
    }
}

/* Create the machine of WAY, ready to run the streams; MODEL replaces its CPU model unless NULL. */
static struct machine *prepare(struct test *test, const struct comparison *comparison, const struct way *way,
                               const char *model, uint64_t seed)
{
    const char *assignments[MAX_ASSIGNMENTS + 1] = {NULL};
    char model_assignment[64];
    unsigned count = 0;
    snprintf(model_assignment, sizeof model_assignment, "cpu.model=%s", model ? model : "mipsy");
    assignments[0] = model_assignment;
    for (; way->assignments[count]; count++)
        assignments[count + 1] = way->assignments[count];
    struct machine *machine = harness_machine(assignments);
    harness_load(machine, &test->image);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++)
        harness_start(machine, cpu, &test->streams[cpu].context);
    if (way->drive == DRIVE_ONE_HOOK || way->drive == DRIVE_HOOKS)
        add_hooks(test, machine, way->drive == DRIVE_HOOKS ? HOOKS : 1, seed);
    return machine;
}

static struct machine *run(struct test *test, const struct comparison *comparison, const struct way *way,
                           uint64_t insns, uint64_t seed)
{
    uint64_t digest = 0;
    test->hook_digest = &digest;
    struct machine *machine = prepare(test, comparison, way, NULL, seed);
    drive(test, machine, way, insns, seed);
    return machine;
}

/* Compare the pages that streams write: windows, log, code. */
static bool written_pages_are_same(const struct compare *compare)
{
    static const paddr places[][2] = {{LAYOUT_DATA, LAYOUT_DATA_END},
                                      {LAYOUT_VARIABLES, LAYOUT_VARIABLES + 1},
                                      {LAYOUT_LOG, LAYOUT_LOG + MAX_CPUS * LOG_BYTES},
                                      {LAYOUT_CODE, LAYOUT_CODE + 0x4000}};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        for (uint32_t page = places[i][0] >> PAGE_SHIFT; page <= (places[i][1] - 1) >> PAGE_SHIFT; page++)
            if (!compare_pages(compare, &page, 1))
                return false;
    return true;
}

/* Run both side by side and compare at each stop. Returns the difference, or NULL. */
static const char *drive_together(struct test *test, struct machine *a, struct machine *b,
                                  const struct comparison *comparison, uint64_t insns, uint64_t seed, char *text,
                                  size_t size)
{
    enum { STOPS_A_MEMORY = 16 };
    struct random random = random_seeded(seed ^ 0x736c6963);
    struct compare *compare = compare_create(a, b);
    enum machine_stop reason = MACHINE_STOP_INSNS, other = reason;
    uint64_t at = 0, digest[2] = {0, 0};
    bool same = true;
    for (unsigned stop = 0; same && at < insns && reason == MACHINE_STOP_INSNS; stop++) {
        uint64_t count = next_slice(&comparison->a, &random, insns - at);
        at += count;
        test->hook_digest = &digest[0];
        reason = run_slice(a, &comparison->a, count, at);
        test->hook_digest = &digest[1];
        other = run_slice(b, &comparison->b, count, at);
        same = reason == other && digest[0] == digest[1] && compare_state(compare);
        if (stop % STOPS_A_MEMORY == 0)
            same = same && compare_statistics(compare) && written_pages_are_same(compare);
    }
    compare_free(compare);
    const char *difference = harness_compare(a, b, true, text, size);
    if (difference || same)
        return difference;
    snprintf(text, size, "%s", reason != other ? "the run ends differently" : "hooks see another state");
    return text;
}

static bool differs(struct test *test, const struct comparison *comparison, uint64_t insns, uint64_t seed, char *text,
                    size_t size)
{
    struct machine *a, *b;
    struct err err = {""};
    const char *difference;
    if (comparison->flags & MODELS) {
        a = prepare(test, comparison, &comparison->a, NULL, seed);
        b = prepare(test, comparison, &comparison->b, test->second, seed);
        difference = drive_together(test, a, b, comparison, insns, seed, text, size);
    } else {
        a = run(test, comparison, &comparison->a, insns, seed);
        b = run(test, comparison, &comparison->b, insns, seed);
        difference = harness_compare(a, b, comparison->flags & TIME, text, size);
    }
    if (!difference && (!machine_check_accounts(a, &err) || !machine_check_accounts(b, &err))) {
        snprintf(text, size, "%s", err.text);
        difference = text;
    }
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
        test->exceptions[i] += a->cores[0]->counts.exceptions[i];
    test->insns += machine_insns(a) + machine_insns(b);
    if (test->verbose)
        harness_print_differences(a, b, 20);
    machine_free(a);
    machine_free(b);
    return difference != NULL;
}

/* ---- reports ---- */

/* The stream of SEED differs after INSNS instructions: find the first instruction after which it differs. */
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
    printf("FAIL %s%s%s, seed %" PRIu64 ": after instruction %" PRIu64 " %s\n", comparison->name,
           comparison->flags & MODELS ? " with " : "", comparison->flags & MODELS ? test->second : "", seed, high,
           text);
    printf("again: random_streams %" PRIu64 " 1 %s%s%s\n", seed, comparison->name,
           comparison->flags & MODELS ? " " : "", comparison->flags & MODELS ? test->second : "");
    test->verbose = true;
    differs(test, comparison, high, seed, text, sizeof text);
    test->verbose = false;
    struct machine *machine = run(test, comparison, &comparison->a, low, seed);
    for (unsigned cpu = 0; cpu < comparison->cpus; cpu++)
        harness_print_around(machine, cpu);
    machine_free(machine);
}

static bool rows_are_covered(const struct test *test)
{
    bool covered = true;
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        if (test->executed[id] || !isa_has(&isa_table[id], LEVEL_32R2))
            continue;
        printf("FAIL: no stream has executed %s\n", isa_table[id].mnemonic);
        covered = false;
    }
    return covered;
}

/* Compare COUNT streams from SEED on. */
static bool compare_streams(struct test *test, const struct comparison *comparison, uint64_t seed, uint64_t count)
{
    const uint64_t insns = comparison->flags & HOT ? HOT_INSNS : INSNS;
    for (uint64_t n = seed; n < seed + count; n++) {
        char text[512];
        make_streams(test, comparison, n);
        if (differs(test, comparison, insns, n, text, sizeof text)) {
            report(test, comparison, insns, n);
            return false;
        }
    }
    return true;
}

/* Execute all comparisons, or the one named ONLY. */
static bool compare_all(struct test *test, const struct comparison *list, unsigned length, uint64_t seed,
                        uint64_t count, const char *only)
{
    bool passed = true;
    for (unsigned i = 0; i < length; i++)
        if (!only || strcmp(only, list[i].name) == 0)
            passed = compare_streams(test, &list[i], seed, count) && passed;
    return passed;
}

static bool compare_models(struct test *test, uint64_t seed, uint64_t count, const char *only)
{
    bool passed = true, other = false;
    const char *model;
    for (size_t i = 0; (model = machine_cpu_model_at(i)); i++) {
        if (strcmp(model, "mipsy") == 0 || strcmp(model, "mxs") == 0)
            continue;
        other = true;
        test->second = model;
        passed = compare_all(test, model_comparisons, MODEL_COMPARISONS, seed, count, only) && passed;
    }
    test->second = "mipsy";
    return other ? passed : compare_all(test, model_comparisons, MODEL_COMPARISONS, seed, count, only);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 60;
    const char *only = argc > 3 ? argv[3] : NULL;
    struct test *test = calloc(1, sizeof *test);
    if (!test)
        return 1;
    test->decoder = isa_decoder_create(LEVEL_32R2);
    bool passed = compare_all(test, comparisons, COMPARISONS, seed, count, only);
    if (argc > 4) {
        test->second = argv[4];
        passed = compare_all(test, model_comparisons, MODEL_COMPARISONS, seed, count, only) && passed;
    } else {
        passed = compare_models(test, seed, count, only) && passed;
    }
    printf("seed %" PRIu64 ": %" PRIu64 " instructions, %" PRIu64 " hooks; exceptions", seed, test->insns,
           test->hooks_run);
    for (unsigned i = 0; i < EXCEPTION_CODES; i++)
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
