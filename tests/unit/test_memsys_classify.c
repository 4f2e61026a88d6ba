/* The classification driven by the memory system: random streams of several CPUs through various hierarchies, with
 * fast-path bytes and last-use times as a CPU model handles them, against the reference model. Stalls and cache states
 * do not depend on the classification. */
#include "cache/state/hooks.h"
#include "tests/unit/classify_reference.h"
#include "tests/unit/memsys_fixture.h"

#include <stdio.h>

enum { CPUS = 3, STEPS = 60000 };

struct world {
    struct memsys *memsys;
    const struct classify *classify;
    struct bucket bucket;
    struct slow slow;
    uint8_t number[MEMSYS_CACHES]; /* of the existing caches */
    uint8_t fetch_byte[CPUS][SLOW_LINES], data_byte[CPUS][SLOW_LINES];
    cycles now[CPUS];
    struct memsys_uses uses[CPUS][2]; /* where to record the times of fast-path hits */
    unsigned unchecked;
};

static void on_hit(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                   paddr line)
{
    struct world *w = opaque;
    (void)line;
    slow_use(&w->slow, cpu, w->number[cache], request->address);
}

static void on_miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr line)
{
    struct world *w = opaque;
    (void)line;
    slow_miss(&w->slow, cpu, w->number[cache], request);
}

static void on_upgrade(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                       paddr block)
{
    struct world *w = opaque;
    (void)cache;
    (void)request;
    (void)block;
    w->slow.cache[cpu][w->slow.caches - 1].miss[w->slow.context[cpu].mode][MISS_DATA][CLASS_UPGRADE]++;
}

static void on_fill(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line)
{
    struct world *w = opaque;
    slow_fill(&w->slow, cpu, w->number[cache], line);
}

static void on_leave(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                     unsigned by_cpu)
{
    static const enum slow_state states[] = {
        [REMOVED_EVICTION] = SLOW_REPLACED,      [REMOVED_BACK_INVALIDATION] = SLOW_INCLUSION,
        [REMOVED_INVALIDATION] = SLOW_COHERENCE, [REMOVED_DMA] = SLOW_COHERENCE,
        [REMOVED_CACHE_OP] = SLOW_FLUSHED,       [REMOVED_ALIAS] = SLOW_REPLACED,
    };
    struct world *w = opaque;
    (void)by_cpu;
    slow_leave(&w->slow, cpu, w->number[cache], line, states[why]);
}

static const struct memsys_event_ops slow_ops = {
    .hit = on_hit, .miss = on_miss, .upgrade = on_upgrade, .fill = on_fill, .removal = on_leave};

static struct memsys *make_memsys(const char *settings, const char *classify)
{
    char text[600];
    struct err err = {""};
    snprintf(text, sizeof text, "cache.classify=%s %s", classify, settings);
    struct params *params = make_params(text);
    struct memsys *memsys = memsys_create(params, CPUS, 200 * MHZ, &err);
    if (!memsys)
        fail_msg("%s: %s", settings, err.text);
    params_free(params);
    return memsys;
}

static struct world *make_world(const char *settings, const char *classify, enum classify_mode mode)
{
    struct world *w = calloc(1, sizeof *w);
    w->memsys = make_memsys(settings, classify);
    w->classify = memsys_classification(w->memsys);
    w->slow.mode = mode;
    w->slow.word = 4;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        uint32_t entries = memsys_entries(w->memsys, id, NULL);
        if (entries == 0)
            continue;
        w->number[id] = (uint8_t)w->slow.caches++;
        for (unsigned cpu = 0; cpu < CPUS; cpu++) {
            w->slow.cache[cpu][w->number[id]].line_size = memsys_line(w->memsys, id);
            w->slow.cache[cpu][w->number[id]].capacity = entries;
        }
    }
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        w->now[cpu] = 1000;
        w->slow.context[cpu].mode = MODE_KERNEL;
    }
    memsys_attach(w->memsys, &slow_ops, w);
    const struct memsys_fast_model model = {.records_use_stamps = true};
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        for (unsigned fetch = 0; fetch < 2; fetch++) {
            struct memsys_fast_path path;
            assert_true(memsys_fast_path(w->memsys, cpu, fetch ? MEMSYS_L1I : MEMSYS_L1D, &model, &path));
            w->uses[cpu][fetch] = path.uses;
        }
    return w;
}

/* As a CPU model does it: the byte decides about the fast path. Data bytes are by virtual address if that selects the
 * set; here the addresses differ only in bits 13 and up. */
static cycles make_access(struct world *w, unsigned cpu, enum memsys_access access, paddr address, uint32_t size,
                          bool alias)
{
    const bool fetch = access == MEMSYS_FETCH;
    const enum memsys_cache cache = fetch ? MEMSYS_L1I : MEMSYS_L1D;
    const uint32_t line = memsys_line(w->memsys, cache);
    uint8_t *byte = &(fetch ? w->fetch_byte : w->data_byte)[cpu][(address - SLOW_BASE) / line];
    const struct memsys_uses *uses = &w->uses[cpu][fetch];
    const uint8_t needed = access == MEMSYS_WRITE ? PERMIT_READ_STORE : PERMIT_READ;
    cycles stall = 0;
    w->now[cpu]++;
    if (!alias && (*byte & needed) == needed) {
        if (uses->time)
            memsys_record_use(uses, address / line, access, w->now[cpu]);
        slow_use(&w->slow, cpu, w->number[memsys_entries(w->memsys, cache, NULL) ? cache : MEMSYS_L1D], address);
        w->unchecked++;
    } else {
        static uint8_t nobody; /* the cache keeps its address */
        struct memsys_request request = {.address = address,
                                         .virtual_address = alias ? address ^ 0x40 : address,
                                         .access = access,
                                         .size = (uint8_t)size,
                                         .max_permission = alias ? PERMIT_NONE : PERMIT_READ_STORE,
                                         .permission = alias ? &nobody : byte,
                                         .now = w->now[cpu],
                                         .bucket = &w->bucket};
        stall = memsys_access(w->memsys, cpu, &request);
        w->now[cpu] += stall;
    }
    if (access == MEMSYS_WRITE)
        slow_log_store(&w->slow, cpu, address, size);
    return stall;
}

/* One random event. Returns the stall of an access. */
static cycles step(struct world *w, uint32_t *seed, paddr recent[CPUS][8])
{
    uint32_t random = slow_random(seed);
    unsigned cpu = random % CPUS, what = random / CPUS % 1000;
    paddr address = slow_random_address(seed);
    paddr *last = &recent[cpu][slow_random(seed) % 8];
    if (*last != 0 && slow_random(seed) % 4 != 0)
        address = *last ^ (slow_random(seed) & 8);
    *last = address;
    if (what < 2) {
        uint32_t size = 4 + slow_random(seed) % 200 / 4 * 4;
        if (address + size > SLOW_BASE + SLOW_SPACE)
            return 0;
        memsys_dma_write(w->memsys, address, size, w->now[cpu]);
        slow_log_store(&w->slow, CPUS, address, size);
    } else if (what < 10) {
        enum memsys_cache cache = (enum memsys_cache)(slow_random(seed) % MEMSYS_CACHES);
        memsys_cache_op(w->memsys, cpu, cache, slow_random(seed) % 4,
                        &(struct memsys_request){.address = address, .virtual_address = address});
    } else if (what < 24) {
        enum mode mode = slow_random(seed) % MODE_COUNT;
        uint32_t process = slow_random(seed) % 3;
        w->slow.context[cpu] = (struct slow_context){mode, process};
        memsys_set_context(w->memsys, cpu, mode, process);
    } else {
        static const uint32_t sizes[] = {1, 2, 4};
        enum memsys_access access = what < 350 ? MEMSYS_FETCH : what < 700 ? MEMSYS_READ : MEMSYS_WRITE;
        uint32_t size = access == MEMSYS_FETCH ? 4 : sizes[slow_random(seed) % 3];
        if (access != MEMSYS_FETCH && memsys_line(w->memsys, MEMSYS_L1D) >= 8 && slow_random(seed) % 4 == 0)
            size = 8;
        address += slow_random(seed) % (8 / size) * size;
        return make_access(w, cpu, access, address, size, slow_random(seed) % 64 == 0);
    }
    return 0;
}

static void free_world(struct world *w)
{
    memsys_free(w->memsys);
    free(w);
}

static const struct {
    const char *name;
    enum classify_mode mode;
} modes[] = {{"replacement", CLASSIFY_REPLACEMENT}, {"sharing", CLASSIFY_SHARING}, {"full", CLASSIFY_FULL}};

#define SMALL_L1 "cache.l1i.size=256 cache.l1d.size=256 "
#define SMALL    SMALL_L1 "cache.l2.size=4K cache.l2.line=64 "

static void agrees(const char *settings, uint32_t seed)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct world *w = make_world(settings, modes[i].name, modes[i].mode);
        struct world *alone = make_world(settings, modes[i].name, modes[i].mode);
        struct err err = {""};
        paddr recent[CPUS][8] = {{0}}, recent_alone[CPUS][8] = {{0}};
        uint32_t seed_alone = seed;
        memsys_detach(alone->memsys, alone); /* without observers there are fast paths */
        for (unsigned n = 0; n < STEPS; n++)
            assert_int_equal(step(w, &seed, recent), step(alone, &seed_alone, recent_alone));
        slow_compare(&w->slow, w->classify, CPUS);
        slow_compare(&w->slow, alone->classify, CPUS);
        free_world(alone);
        assert_true(memsys_check(w->memsys, &err));
        assert_true(slow_seen(&w->slow, CPUS, CLASS_COLD) > 100);
        free_world(w);
    }
}

static void default_kind(void **state)
{
    (void)state;
    agrees(SMALL, 1);
}
static void one_way(void **state)
{
    (void)state;
    agrees(SMALL "cache.l1d.ways=1 cache.l1i.ways=1 cache.l2.ways=2", 2);
}
static void one_level(void **state)
{
    (void)state;
    agrees(SMALL_L1 "cache.model=one-level", 3);
}
static void three_levels(void **state)
{
    (void)state;
    agrees(SMALL "cache.model=three-level cache.l3.size=8K cache.l3.line=128", 4);
}
static void unified_first_level(void **state)
{
    (void)state;
    agrees("cache.l1.split=off cache.l1d.size=512 cache.l2.size=4K cache.l2.line=64", 5);
}
static void split_second_level(void **state)
{
    (void)state;
    agrees(SMALL "cache.l2.split=on cache.l2i.size=4K cache.l2i.line=64", 6);
}
static void other_protocols(void **state)
{
    (void)state;
    agrees(SMALL "cache.protocol=mesi", 7);
    agrees(SMALL "cache.protocol=firefly", 8);
    agrees(SMALL "cache.update_pages=0x81000-0x81fff", 9);
}
static void other_shapes(void **state)
{
    (void)state;
    agrees(SMALL
           "cache.l1d.size=576 cache.l1d.ways=12 cache.l1i.size=720 cache.l1i.ways=3 cache.l2.size=5K cache.l2.ways=5",
           20);
    agrees(SMALL "cache.l1d.sector_lines=4 cache.l1i.sector_lines=2 cache.l2.sector_lines=2", 21);
    agrees(SMALL "cache.l2.size=6K cache.l2.ways=3 cache.l2.sector_lines=8 cache.l1d.sector_lines=4", 22);
}
static void write_through(void **state)
{
    (void)state;
    agrees(SMALL "cache.l1d.write=through", 10);
    agrees(SMALL "cache.l1d.write=through cache.l1d.write_allocate=off", 11);
    agrees(SMALL "cache.l1d.write_allocate=off", 12);
    agrees(SMALL_L1 "cache.model=one-level cache.l1d.write=through cache.l1d.line=4 cache.l1i.line=4", 13);
}
static void not_inclusive(void **state)
{
    (void)state;
    agrees(SMALL "cache.l2.inclusive=off", 14);
}
static void other_replacement(void **state)
{
    (void)state;
    agrees(SMALL "cache.l1d.replacement=random cache.l1i.replacement=plru cache.l2.ways=4 cache.l2.replacement=plru",
           15);
    agrees(SMALL "cache.l1d.ways=8 cache.l1d.replacement=plru cache.l1i.replacement=random", 16);
}
static void virtual_index(void **state)
{
    (void)state;
    agrees(SMALL "cache.l1d.index=virtual cache.l1i.index=virtual", 17);
    agrees(SMALL "cache.l1d.hash=xor cache.l2.hash=xor", 18);
}
static void long_lines(void **state)
{
    (void)state;
    agrees(SMALL_L1 "cache.l1d.line=32 cache.l2.size=8K cache.l2.line=1K", 19);
    agrees(SMALL_L1 "cache.l1d.line=4 cache.l2.size=8K cache.l2.line=512", 20);
    agrees("cache.l1d.size=1K cache.l1d.line=256 cache.l1i.size=256 cache.l2.size=8K cache.l2.line=512", 21);
}

/* The same stream with and without classification: every stall and the final cache contents are equal. */
static void nothing_depends_on_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        uint32_t seed_a = 99, seed_b = 99;
        struct world *a = make_world(SMALL, modes[i].name, modes[i].mode);
        struct world *b = make_world(SMALL, "off", CLASSIFY_OFF);
        paddr recent_a[CPUS][8] = {{0}}, recent_b[CPUS][8] = {{0}};
        assert_null(b->classify);
        for (unsigned n = 0; n < STEPS; n++)
            assert_int_equal(step(a, &seed_a, recent_a), step(b, &seed_b, recent_b));
        for (unsigned cpu = 0; cpu < CPUS; cpu++)
            assert_true(memsys_is_same(a->memsys, b->memsys, cpu));
        assert_true(a->unchecked > STEPS / 20);
        free_world(a);
        free_world(b);
    }
}

/* The caches' counters equal the sums of the classes. */
static void classes_add_up(void **state)
{
    (void)state;
    struct world *w = make_world(SMALL, "full", CLASSIFY_FULL);
    struct stats *stats = stats_create();
    paddr recent[CPUS][8] = {{0}};
    uint32_t seed = 5;
    memsys_register_stats(w->memsys, stats);
    for (unsigned n = 0; n < STEPS; n++)
        step(w, &seed, recent);
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        static const char *const misses[3][3] = {{"l1i.misses"},
                                                 {"l1d.read_misses", "l1d.write_misses"},
                                                 {"l2.insn_misses", "l2.read_misses", "l2.write_misses"}};
        for (unsigned number = 0; number < 3; number++) {
            const struct classify_counts *counts = classify_counts(w->classify, cpu, number);
            double expected = 0, sum = 0, value;
            for (unsigned i = 0; i < 3 && misses[number][i]; i++) {
                char name[64];
                snprintf(name, sizeof name, "cpu%u.%s", cpu, misses[number][i]);
                assert_true(stats_value(stats, name, &value));
                expected += value;
            }
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                for (unsigned kind = 0; kind < MISS_KINDS; kind++)
                    for (unsigned class = 0; class < CLASS_UPGRADE; class ++)
                        sum += (double)counts->miss[mode][kind][class];
            assert_true(sum == expected && sum > 0);
        }
    }
    stats_free(stats);
    free_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_kind),        cmocka_unit_test(one_way),
        cmocka_unit_test(one_level),           cmocka_unit_test(three_levels),
        cmocka_unit_test(unified_first_level), cmocka_unit_test(split_second_level),
        cmocka_unit_test(other_protocols),     cmocka_unit_test(other_shapes),
        cmocka_unit_test(write_through),       cmocka_unit_test(not_inclusive),
        cmocka_unit_test(other_replacement),   cmocka_unit_test(virtual_index),
        cmocka_unit_test(long_lines),          cmocka_unit_test(nothing_depends_on_it),
        cmocka_unit_test(classes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
