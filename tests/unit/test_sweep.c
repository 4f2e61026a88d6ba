/* Sweeps: each point's counts equal those of its memory system simulated alone on the same stream, for every method,
 * whether all references are processed or only those that the shared fast-path bytes do not filter. Streams are random:
 * fetches, loads and stores of up to 8 CPUs, device accesses, CACHE operations, flushes. */
#include "cache/observe/observe.h"
#include "cache/observe/sweep.h"
#include "tests/unit/memsys_fixture.h"

enum { POINTS_MAX = 7, STEPS = 120000, SPAN = 1 << 20, GRAIN = 16 /* GRAIN: line size of the observed machine */ };

struct series {
    const char *name, *machine, *common, *points[POINTS_MAX + 1];
    unsigned cpus;
    enum sweep_method method; /* expected choice of SWEEP_AUTO */
};

#define ALONE "cache.l2.inclusive=off cache.l2.size=64K"
static const struct series cases[] = {
    {"first levels",
     "",
     ALONE " cache.l1i.line=64 cache.l1d.line=32",
     {"cache.l1i.size=1K cache.l1d.size=1K", "cache.l1i.size=4K cache.l1d.size=2K",
      "cache.l1i.size=8K cache.l1d.size=8K", "cache.l1i.size=8K cache.l1d.size=8K cache.l1d.ways=4 cache.l1i.ways=1",
      "cache.l1i.line=16 cache.l1d.line=16"},
     1,
     SWEEP_STACK},
    {"levels that CPUs share, and that they do not",
     "",
     "cache.l1i.size=1K cache.l1d.size=1K cache.l2.line=32 cache.protocol=mesi",
     {"cache.l2.size=32K", "cache.l2.size=32K cache.l2.shared=2",
      "cache.l2.size=64K cache.l2.shared=all cache.l2.ways=4",
      "cache.l2.size=64K cache.l2.shared=all cache.l2.ways=4 cache.l2.partition=0-1:3,2-3:12",
      "cache.model=three-level cache.l2.size=8K cache.l3.size=64K cache.l3.shared=all",
      "cache.model=three-level cache.l2.size=16K cache.l2.shared=2 cache.l3.size=64K cache.l3.shared=all",
      "cache.l2.size=8K cache.l2.shared=all cache.l2.inclusive=off"},
     4,
     SWEEP_POINTS},
    {"first levels alone",
     "cache.l1d.size=2K",
     "cache.model=one-level cache.l1i.line=32 cache.l1d.line=32",
     {"cache.l1i.size=1K cache.l1d.size=1K", "cache.l1i.size=8K cache.l1d.size=8K"},
     1,
     SWEEP_STACK},
    {"second levels, not inclusive",
     "",
     "cache.l2.inclusive=off cache.l1i.size=1K cache.l1d.size=1K",
     {"cache.l2.size=8K", "cache.l2.size=16K", "cache.l2.size=64K", "cache.l2.size=64K cache.l2.ways=4"},
     1,
     SWEEP_STACK},
    {"first levels of other shapes",
     "",
     "cache.l2.inclusive=off cache.l2.size=72K cache.l2.ways=9 cache.l1i.line=32 cache.l1d.line=32",
     {"cache.l1i.size=1K cache.l1d.size=1152 cache.l1d.ways=12",
      "cache.l1i.size=1K cache.l1d.size=2304 cache.l1d.ways=12",
      "cache.l1i.size=1536 cache.l1i.ways=3 cache.l1d.size=1152 cache.l1d.ways=9",
      "cache.l1i.size=352 cache.l1i.ways=1 cache.l1d.size=1760 cache.l1d.ways=5",
      "cache.l1i.size=7K cache.l1d.size=7K cache.l1i.ways=16 cache.l1d.ways=14"},
     1,
     SWEEP_STACK},
    {"second levels of other shapes",
     "",
     "cache.l2.inclusive=off cache.l1i.size=1K cache.l1d.size=1K cache.l1d.ways=4",
     {"cache.l2.size=12K cache.l2.ways=3", "cache.l2.size=24K cache.l2.ways=3", "cache.l2.size=20K cache.l2.ways=5",
      "cache.l2.size=11K", "cache.l2.size=48K cache.l2.ways=12"},
     1,
     SWEEP_STACK},
    {"other shapes side by side",
     "cache.l2.size=22K cache.l1i.size=1K cache.l1d.size=1152 cache.l1d.ways=3",
     "cache.l1i.size=1K cache.l1d.size=1K",
     {"cache.l2.size=12K cache.l2.ways=3", "cache.l2.size=22K cache.l2.ways=11", "cache.l2.size=11K cache.l2.hash=xor"},
     4,
     SWEEP_POINTS},
    {"second levels, inclusive",
     "cache.l2.size=32K",
     "cache.l1i.size=1K cache.l1d.size=1K",
     {"cache.l2.size=8K", "cache.l2.size=32K", "cache.l2.size=64K cache.l2.ways=4"},
     1,
     SWEEP_POINTS},
    {"second levels of 8 CPUs",
     "",
     "cache.l1i.size=1K cache.l1d.size=1K cache.l2.ways=2",
     {"cache.l2.size=8K", "cache.l2.size=32K", "cache.l2.size=128K"},
     8,
     SWEEP_POINTS},
    {"policies and protocols",
     "",
     "cache.l2.size=32K",
     {"cache.l1d.replacement=random", "cache.l1d.replacement=plru cache.l1d.ways=4", "cache.protocol=mesi",
      "cache.l1d.write=through", "cache.model=three-level cache.l3.size=128K", "cache.protocol=firefly"},
     2,
     SWEEP_POINTS},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* A stream */

struct walk {
    uint64_t state;
    paddr fetch[16], data[16];
    enum mode mode[16];
    uint16_t process[16];
};

static uint32_t draw(struct walk *walk, uint32_t below)
{
    walk->state = walk->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(walk->state >> 33) % below;
}

static paddr wander(struct walk *walk, paddr at, uint32_t step)
{
    uint32_t choice = draw(walk, 32);
    if (choice < 20)
        return (at + step) % SPAN;
    if (choice < 26)
        return (at + SPAN - draw(walk, 2048)) % SPAN;
    if (choice < 31)
        return draw(walk, 32) * 4096 + draw(walk, 128);
    return draw(walk, SPAN);
}

static struct reference draw_access(struct walk *walk, unsigned cpus)
{
    struct reference r = {.cpu = (uint8_t)draw(walk, cpus)};
    bool fetch = draw(walk, 2);
    if (draw(walk, 40) == 0) {
        walk->mode[r.cpu] = (enum mode)draw(walk, MODE_COUNT);
        walk->process[r.cpu] = (uint16_t)draw(walk, 3);
    }
    paddr *at = fetch ? &walk->fetch[r.cpu] : &walk->data[r.cpu];
    *at = wander(walk, *at, fetch ? GRAIN : 4);
    r.kind = fetch ? REFERENCE_FETCH : draw(walk, 3) ? REFERENCE_READ : REFERENCE_WRITE;
    r.mode = walk->mode[r.cpu];
    r.process = walk->process[r.cpu];
    r.address = r.virtual_address = *at & ~3u;
    r.size = 4;
    return r;
}

static struct reference draw_reference(struct walk *walk, unsigned cpus)
{
    uint32_t what = draw(walk, 3000);
    struct reference r = {.cpu = (uint8_t)draw(walk, cpus), .address = draw(walk, SPAN)};
    if (what < 6) {
        r.kind = what < 3 ? REFERENCE_DMA_READ : REFERENCE_DMA_WRITE;
        r.size = draw(walk, 5000);
    } else if (what < 30) {
        r.kind = REFERENCE_CACHE_OP;
        r.address &= ~15u;
        r.cache = draw(walk, 3) ? (draw(walk, 2) ? MEMSYS_L1I : MEMSYS_L1D) : MEMSYS_L2;
        r.op = (enum memsys_cache_op)draw(walk, 4);
    } else if (what == 30 && draw(walk, 10) == 0) {
        r.kind = REFERENCE_FLUSH;
    } else {
        r = draw_access(walk, cpus);
    }
    return r;
}

/* A single memory system */

static void apply(struct machine *m, const struct reference *r, uint8_t *permission)
{
    static const enum memsys_access accesses[] = {
        [REFERENCE_FETCH] = MEMSYS_FETCH, [REFERENCE_READ] = MEMSYS_READ, [REFERENCE_WRITE] = MEMSYS_WRITE};
    static uint8_t nobody;
    switch (r->kind) {
    case REFERENCE_DMA_READ: memsys_dma_read(m->memsys, r->address, r->size, 0); break;
    case REFERENCE_DMA_WRITE: memsys_dma_write(m->memsys, r->address, r->size, 0); break;
    case REFERENCE_CACHE_OP:
        memsys_cache_op(m->memsys, r->cpu, r->cache, r->op,
                        &(struct memsys_request){.address = r->address, .virtual_address = r->virtual_address});
        break;
    case REFERENCE_FLUSH: memsys_flush(m->memsys); break;
    default:
        memsys_access(m->memsys, r->cpu,
                      &(struct memsys_request){.address = r->address,
                                               .virtual_address = r->virtual_address,
                                               .access = accesses[r->kind],
                                               .size = (uint8_t)r->size,
                                               .max_permission = permission ? PERMIT_READ_STORE : PERMIT_NONE,
                                               .permission = permission ? permission : &nobody,
                                               .bucket = &m->bucket[r->cpu]});
    }
}

/* The counter cpuN.CACHE.NAME, summed over all CPUs; 0 if it does not exist. */
static uint64_t total(const struct machine *m, unsigned cpus, const char *cache, const char *name)
{
    uint64_t sum = 0;
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        char path[64];
        double value = 0;
        snprintf(path, sizeof path, "cpu%u.%s.%s", cpu, cache, name);
        stats_value(m->stats, path, &value);
        sum += (uint64_t)value;
    }
    return sum;
}

static uint64_t sum_of(const struct sweep_counts *counts, enum sweep_kind kind)
{
    uint64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned cause = 0; cause < SWEEP_CAUSES; cause++)
            sum += counts->misses[mode][kind][cause];
    return sum;
}

static void compare_with_alone(const struct series *series, unsigned point, const struct sweep_cache *cache,
                               const struct machine *alone)
{
    uint64_t insn =
        total(alone, series->cpus, cache->name, "misses") + total(alone, series->cpus, cache->name, "insn_misses");
    uint64_t data = total(alone, series->cpus, cache->name, "read_misses") +
                    total(alone, series->cpus, cache->name, "write_misses");
    if (sum_of(&cache->counts, SWEEP_INSN) != insn || sum_of(&cache->counts, SWEEP_DATA) != data)
        fail_msg("%s, point %u, %s: misses %llu %llu, by itself %llu %llu", series->name, point, cache->name,
                 (unsigned long long)sum_of(&cache->counts, SWEEP_INSN),
                 (unsigned long long)sum_of(&cache->counts, SWEEP_DATA), (unsigned long long)insn,
                 (unsigned long long)data);
    if (insn + data == 0)
        fail_msg("%s, point %u, %s: no misses", series->name, point, cache->name);
}

/* An observed machine with fast-path bytes */

struct run {
    struct sweep *sweeps[3];
    unsigned told, count;
    const struct reference *now; /* the context of the current reference, unknown to the memory system */
    uint8_t *permission;         /* [kind of line][cpu][line] */
};

static void observe(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct run *run = opaque;
    reference->mode = run->now->mode;
    reference->process = run->now->process;
    run->told++;
    for (unsigned i = 0; i < run->count; i++)
        sweep_refer(run->sweeps[i], reference, permission);
}

static uint8_t *byte_of(struct run *run, const struct reference *r)
{
    size_t table = (size_t)(r->kind == REFERENCE_FETCH ? 16 : 0) + r->cpu;
    return run->permission + table * (SPAN / GRAIN) + r->address / GRAIN;
}

static bool permits_access(uint8_t byte, enum reference_kind kind)
{
    return kind == REFERENCE_WRITE ? (byte & PERMIT_READ_STORE) == PERMIT_READ_STORE : (byte & PERMIT_READ) != 0;
}

static struct params *point_params(const struct series *series, unsigned point)
{
    char settings[512];
    snprintf(settings, sizeof settings, "%s %s", series->common, series->points[point]);
    return make_params(settings);
}

static struct sweep *create_sweep(const struct series *series, enum sweep_method method, unsigned count, uint32_t line)
{
    const struct sweep_source source = {
        .cpus = series->cpus, .clock_hz = 200 * MHZ, .insn_line = line, .data_line = line};
    struct params *params[POINTS_MAX] = {NULL};
    struct err err = {""};
    for (unsigned i = 0; i < count; i++)
        params[i] = point_params(series, i);
    struct sweep *sweep = sweep_create(&source, method, (const struct params *const *)params, count, &err);
    if (!sweep)
        fail_msg("%s: %s", series->name, err.text);
    for (unsigned i = 0; i < count; i++)
        params_free(params[i]); /* sweep_create() has copied them */
    return sweep;
}

static void compare_sweeps(unsigned count, const struct sweep *a, const struct sweep *b)
{
    struct sweep_cache of_a, of_b;
    for (unsigned point = 0; point < count; point++)
        for (unsigned i = 0; sweep_cache(a, point, i, &of_a); i++) {
            unsigned j = 0;
            while (sweep_cache(b, point, j, &of_b) && strcmp(of_b.name, of_a.name) != 0)
                j++;
            if (!sweep_cache(b, point, j, &of_b))
                continue; /* with SWEEP_POINTS only the varying caches are compared */
            assert_memory_equal(of_a.counts.misses, of_b.counts.misses, sizeof of_a.counts.misses);
            assert_memory_equal(of_a.counts.upgrades, of_b.counts.upgrades, sizeof of_a.counts.upgrades);
        }
}

/* Two sweeps in one observed run, by their own method and by points; one that processes everything; and each point
 * alone. */
static void check_series(const struct series *series, uint64_t seed)
{
    struct machine *alone[POINTS_MAX], *running = machine(series->cpus, series->machine);
    unsigned count = 0;
    for (; count < POINTS_MAX && series->points[count]; count++) {
        char settings[512];
        snprintf(settings, sizeof settings, "%s %s", series->common, series->points[count]);
        alone[count] = machine(series->cpus, settings);
    }
    struct sweep *all_told = create_sweep(series, SWEEP_AUTO, count, 1);
    struct run run = {
        .sweeps = {create_sweep(series, SWEEP_AUTO, count, GRAIN), create_sweep(series, SWEEP_POINTS, count, GRAIN)},
        .count = 2,
        .permission = calloc(32, SPAN / GRAIN)};
    assert_int_equal(sweep_method(run.sweeps[0]), series->method);
    assert_int_equal(sweep_method(run.sweeps[1]), SWEEP_POINTS);
    struct observer *observer = observe_begin(running->memsys, 1, observe, &run);
    struct walk walk = {.state = seed};
    for (unsigned i = 0; i < STEPS; i++) {
        struct reference r = draw_reference(&walk, series->cpus);
        bool access = r.kind <= REFERENCE_WRITE;
        run.now = &r;
        if (!access)
            apply(running, &r, NULL);
        else if (!permits_access(*byte_of(&run, &r), r.kind))
            apply(running, &r, byte_of(&run, &r));
        sweep_refer(all_told, &r, NULL);
        for (unsigned point = 0; point < count; point++)
            apply(alone[point], &r, NULL);
    }
    assert_in_range(run.told, STEPS / 5, STEPS * 19 / 20);
    compare_sweeps(count, run.sweeps[0], all_told);
    compare_sweeps(count, run.sweeps[0], run.sweeps[1]);
    for (unsigned point = 0; point < count; point++) {
        struct sweep_cache cache;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned i = 0; sweep_cache(run.sweeps[k], point, i, &cache); i++)
                compare_with_alone(series, point, &cache, alone[point]);
        done(alone[point]);
    }
    observe_end(observer);
    sweep_free(run.sweeps[0]);
    sweep_free(run.sweeps[1]);
    sweep_free(all_told);
    done(running);
    free(run.permission);
}

static void every_point_is_as_by_itself(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++)
        check_series(&cases[i], 77 + i);
}

/* Size, line and ways of CACHE, of 4 to 12 KB. */
static void draw_shape(struct walk *walk, const char *cache, uint32_t line, char *text, size_t size)
{
    const uint32_t ways = 1 + draw(walk, 16), least = 4096 / (line * ways) + 1, most = 12288 / (line * ways);
    snprintf(text, size, "cache.%s.size=%u cache.%s.line=%u cache.%s.ways=%u ", cache,
             (least + draw(walk, most - least + 1)) * line * ways, cache, line, cache, ways);
}

/* First levels in the even series, second levels in the odd ones, of any numbers of ways and sets. */
static void random_points_are_as_by_themselves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct walk walk = {.state = 1000 + i};
        char points[POINTS_MAX][256];
        struct series series = {.name = "random points", .machine = "", .cpus = 1, .method = SWEEP_STACK};
        series.common = i % 2 ? "cache.l2.inclusive=off cache.l2.line=32 cache.l1i.size=512 cache.l1d.size=768 "
                                "cache.l1d.ways=3 cache.l1d.line=32 cache.l1i.line=32"
                              : "cache.l2.inclusive=off cache.l2.size=72K cache.l2.ways=9";
        for (unsigned point = 0; point < POINTS_MAX; point++) {
            char data[128] = "", insn[128];
            draw_shape(&walk, i % 2 ? "l2" : "l1i", i % 2 ? 32 : 16u << draw(&walk, 2), insn, sizeof insn);
            if (i % 2 == 0)
                draw_shape(&walk, "l1d", 16u << draw(&walk, 2), data, sizeof data);
            snprintf(points[point], sizeof points[point], "%s%s", insn, data);
            series.points[point] = points[point];
        }
        check_series(&series, i);
    }
}

/* An instruction cache has no upgrades, whatever other caches a series counts; they are in the row of the outermost
 * cache of data that it counts. */
static void upgrades_are_in_rows_of_data(void **state)
{
    static const struct {
        const char *a, *b;       /* the points */
        const char *with, *name; /* the row that has the upgrades, NULL: none; and the last row */
    } cases[] = {{"cache.l1i.size=16K", "cache.l1i.size=32K", NULL, "l1i"},
                 {"cache.l1d.size=16K", "cache.l1d.size=32K", "l1d", "l1d"},
                 {"cache.l1i.size=16K cache.l1d.size=16K", "cache.l1i.size=32K cache.l1d.size=32K", "l1d", "l1d"},
                 {"cache.l2.size=256K", "cache.l2.size=1M", "l2", "l2"},
                 {"cache.l1i.size=16K cache.l2.size=256K", "cache.l1i.size=32K cache.l2.size=1M", "l2", "l2"},
                 {"cache.l2.split=on cache.l2i.size=256K", "cache.l2.split=on cache.l2i.size=1M", NULL, "l2i"},
                 {"cache.l2.split=on cache.l2.size=256K cache.l2i.size=256K",
                  "cache.l2.split=on cache.l2.size=1M cache.l2i.size=1M", "l2", "l2"},
                 {"cache.l1.split=off cache.l1d.size=16K", "cache.l1.split=off cache.l1d.size=32K", "l1d", "l1d"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct params *params[2] = {make_params(cases[i].a), make_params(cases[i].b)};
        const struct sweep_source source = {.cpus = 2, .clock_hz = 200 * MHZ, .insn_line = 16, .data_line = 16};
        struct err err = {""};
        struct sweep *sweep = sweep_create(&source, SWEEP_POINTS, (const struct params *const *)params, 2, &err);
        struct sweep_cache cache = {.name = NULL};
        if (!sweep)
            fail_msg("%s: %s", cases[i].a, err.text);
        for (int n = 0; n < 100; n++)
            for (uint8_t cpu = 0; cpu < 2; cpu++) {
                struct reference r = {.kind = REFERENCE_READ, .cpu = cpu, .mode = MODE_KERNEL, .address = A, .size = 4};
                sweep_refer(sweep, &r, NULL);
                r.kind = REFERENCE_WRITE;
                sweep_refer(sweep, &r, NULL);
            }
        for (unsigned nth = 0; sweep_cache(sweep, 1, nth, &cache); nth++) {
            const bool has = cases[i].with && strcmp(cache.name, cases[i].with) == 0;
            if (cache.counts.upgrades[MODE_KERNEL] != (has ? 200u : 0))
                fail_msg("%s: %s has %llu upgrades", cases[i].a, cache.name,
                         (unsigned long long)cache.counts.upgrades[MODE_KERNEL]);
        }
        assert_string_equal(cache.name, cases[i].name);
        sweep_free(sweep);
        params_free(params[0]);
        params_free(params[1]);
    }
}

/* The three-state protocol: a store by one CPU makes the other's next reference a coherence miss at any cache size; the
 * store to the shared line is an upgrade. */
static void coherence_misses_do_not_depend_on_size(void **state)
{
    (void)state;
    struct params *params[2] = {make_params("cache.l2.size=16K"), make_params("cache.l2.size=1M")};
    const struct sweep_source source = {.cpus = 2, .clock_hz = 200 * MHZ, .insn_line = 16, .data_line = 16};
    struct sweep *sweep = sweep_create(&source, SWEEP_AUTO, (const struct params *const *)params, 2, NULL);
    struct sweep_cache cache;
    for (int i = 0; i < 100; i++)
        for (uint8_t cpu = 0; cpu < 2; cpu++) {
            struct reference r = {.kind = REFERENCE_READ, .cpu = cpu, .mode = MODE_KERNEL, .address = A, .size = 4};
            sweep_refer(sweep, &r, NULL);
            r.kind = REFERENCE_WRITE;
            sweep_refer(sweep, &r, NULL);
        }
    for (unsigned point = 0; point < 2; point++) {
        assert_true(sweep_cache(sweep, point, 0, &cache));
        assert_string_equal(cache.name, "l2");
        assert_int_equal(cache.counts.misses[MODE_KERNEL][SWEEP_DATA][SWEEP_COLD], 2);
        assert_int_equal(cache.counts.misses[MODE_KERNEL][SWEEP_DATA][SWEEP_COHERENCE], 198);
        assert_int_equal(cache.counts.upgrades[MODE_KERNEL], 200);
        assert_false(sweep_cache(sweep, point, 1, &cache)); /* the points differ in one cache only */
    }
    sweep_reset(sweep);
    assert_true(sweep_cache(sweep, 0, 0, &cache));
    assert_int_equal(cache.counts.upgrades[MODE_KERNEL], 0);
    sweep_free(sweep);
    params_free(params[0]);
    params_free(params[1]);
}

/* A virtually indexed point needs accesses that a permission byte of the source, by physical line, would omit: here of
 * one line by two virtual addresses, or in two address spaces, which evict each other. */
static void virtually_indexed_point_gets_every_access(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "cache.l2.inclusive=off cache.l1d.index=virtual cache.l1d.ways=1 cache.l2.size=512K",
        "cache.l2.inclusive=off cache.l1d.index=virtual cache.l1d.hash=space cache.l1d.ways=1 cache.l2.size=512K"};
    for (unsigned by_space = 0; by_space < 2; by_space++) {
        struct params *params[2] = {make_params("cache.l2.inclusive=off cache.l1d.index=physical"),
                                    make_params(settings[by_space])};
        const struct sweep_source source = {
            .cpus = 1, .clock_hz = 200 * MHZ, .insn_line = 16, .data_line = 16, .has_spaces = true};
        struct sweep *sweep = sweep_create(&source, SWEEP_POINTS, (const struct params *const *)params, 2, NULL);
        struct sweep_cache cache;
        for (unsigned i = 0; i < 10; i++) {
            uint8_t permission = PERMIT_READ_STORE;
            const struct reference r = {.kind = REFERENCE_READ,
                                        .mode = MODE_KERNEL,
                                        .address = A,
                                        .virtual_address = by_space ? 0x1000 : i % 2 * 0x1000,
                                        .space = (uint8_t)(i % 2),
                                        .size = 4};
            sweep_refer(sweep, &r, &permission);
            assert_int_equal(permission, PERMIT_NONE);
        }
        assert_true(sweep_cache(sweep, 0, 0, &cache));
        assert_string_equal(cache.name, "l1d");
        assert_int_equal(cache.counts.misses[MODE_KERNEL][SWEEP_DATA][SWEEP_COLD], 1);
        assert_true(sweep_cache(sweep, 1, 0, &cache));
        unsigned misses = 0;
        for (unsigned cause = 0; cause < SWEEP_CAUSES; cause++)
            misses += (unsigned)cache.counts.misses[MODE_KERNEL][SWEEP_DATA][cause];
        assert_int_equal(misses, 10);
        sweep_free(sweep);
        params_free(params[0]);
        params_free(params[1]);
    }
}

static void what_does_not_fit_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        unsigned cpus;
        enum sweep_method method;
        const char *says;
    } wrong[] = {
        {"cache.l1d.size=4M", 1, SWEEP_AUTO, "cache.l1d.size"},
        {"cache.model=none", 1, SWEEP_AUTO, "cache.model"},
        {"cache.l1i.line=8", 1, SWEEP_AUTO, "cache.l1i.line"},
        {"cache.l1d.line=8", 1, SWEEP_AUTO, "cache.l1d.line"},
        {"", 1, SWEEP_STACK, "cache.l2.inclusive"},
        {"cache.l1d.write_allocate=validate", 1, SWEEP_AUTO, "cache.l1d.write_allocate is validate: not possible"},
        {"cache.l2.write_allocate=validate", 1, SWEEP_POINTS, "cache.l2.write_allocate is validate: not possible"},
        {"cache.l2.line=16 cache.l1d.prepare_for_store=allocate", 1, SWEEP_AUTO, "cache.l1d.prepare_for_store"},
        {"cache.l2.inclusive=off", 2, SWEEP_STACK, "machine.cpus"},
        {"cache.l2.inclusive=off cache.l2.replacement=plru cache.l1d.replacement=random", 1, SWEEP_STACK,
         "cache.l1d.replacement"},
        {"cache.l2.inclusive=off cache.l2.replacement=plru cache.l1d.hash=xor", 1, SWEEP_STACK,
         "cache.l1d.hash has to be \"none\""},
        {"cache.l2.inclusive=off cache.l1d.write=through", 1, SWEEP_STACK, "cache.l1d"},
        {"cache.l1d.index=virtual cache.l1d.hash=space cache.l1d.ways=1", 1, SWEEP_AUTO, "cache.l1d.hash is space"},
        {"cache.l1i.index=virtual cache.l1i.hash=space cache.l1i.ways=1", 1, SWEEP_AUTO, "cache.l1i.hash is space"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct params *params = make_params(wrong[i].settings);
        struct sweep_source source = {.cpus = wrong[i].cpus, .clock_hz = 200 * MHZ, .insn_line = 16, .data_line = 16};
        struct err err = {""};
        const struct params *const points[2] = {params, params};
        if (sweep_create(&source, wrong[i].method, points, 2, &err) || !strstr(err.text, wrong[i].says))
            fail_msg("%s: \"%s\"", wrong[i].settings, err.text);
        params_free(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_as_by_itself),
        cmocka_unit_test(random_points_are_as_by_themselves),
        cmocka_unit_test(coherence_misses_do_not_depend_on_size),
        cmocka_unit_test(upgrades_are_in_rows_of_data),
        cmocka_unit_test(virtually_indexed_point_gets_every_access),
        cmocka_unit_test(what_does_not_fit_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
