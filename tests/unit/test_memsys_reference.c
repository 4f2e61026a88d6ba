/*
 * The memory system against the independent reference of memsys_reference.h: long random multiprocessor streams,
 * compared after every access.
 *
 * Compared: hit or miss of the inline check, stall, bucket, all CPUs' states of the line touched after every access;
 * the whole contents and LRU order of every cache, every counter and memsys_check at intervals.
 */
#include "cache/memsys.h"
#include "tests/unit/memsys_reference.h"

/* --- comparison ------------------------------------------------------------------------------------------------- */

/* A quick-check byte for each line that a CPU may use, fetches and data apart, by the line's address. Addresses meet,
 * as they may: whoever uses a byte for another line has it cleared first, as a model does whose translations change. */
enum { QUICK_BYTES = 1 << 16 };
struct quick_bytes {
    uint8_t byte[16][2][QUICK_BYTES];
    uint32_t line[16][2][QUICK_BYTES];
    uint64_t used[2];
};

struct pair {
    struct memsys *memsys;
    struct stats *stats;
    struct reference reference;
    struct bucket bucket[16];
    uint64_t step;
    const char *label;
    unsigned rare; /* counts that were still zero when last compared */
    struct quick_bytes *quick;
};

#define CHECK(p, condition, ...)                                                                                       \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s, step %llu: ", (p)->label, (unsigned long long)(p)->step);                                 \
            print_error(__VA_ARGS__);                                                                                  \
            print_error("\n");                                                                                         \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* States of the line of ADDRESS in every cache of the machine. */
static void compare_line(struct pair *p, uint32_t address)
{
    static const char *const names[] = {"l1i", "l1d", "l2"};
    static const enum memsys_cache ids[] = {MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2};
    for (unsigned cpu = 0; cpu < p->reference.cpus; cpu++) {
        struct node *n = &p->reference.node[cpu];
        struct cache *caches[] = {&n->l1i, &n->l1d, &n->l2};
        for (int i = 0; i < 3; i++) {
            struct record *record = look(caches[i], address);
            struct memsys_entry found = memsys_look(p->memsys, cpu, ids[i], address);
            CHECK(p, (record != NULL) == found.valid, "cpu%u %s holds 0x%08x: %d", cpu, names[i], address, found.valid);
            if (record)
                CHECK(p, record->line == found.line && record->dirty == found.dirty, "cpu%u %s 0x%08x: wrong state",
                      cpu, names[i], address);
        }
        struct record *record = look(&n->l2, address);
        char expected = !record ? 'I' : record->dirty ? 'M' : 'S', found = memsys_state(p->memsys, cpu, address);
        CHECK(p, expected == found, "cpu%u 0x%08x: state %c, expected %c", cpu, address, found, expected);
    }
}

/* Contents of one cache and their order of use. */
static void compare_cache(struct pair *p, const char *name, unsigned cpu, struct cache *c, enum memsys_cache id)
{
    uint32_t ways;
    CHECK(p, memsys_entries(p->memsys, id, &ways) == c->sets * c->ways && ways == c->ways, "%s: another size", name);
    for (unsigned set = 0; set < c->sets; set++) {
        const struct record *records = c->records + (size_t)set * c->ways;
        unsigned valid = 0, expected = 0;
        for (unsigned i = 0; i < c->ways; i++) {
            unsigned newer = 0;
            valid += memsys_entry_at(p->memsys, cpu, id, set * c->ways + i).valid;
            expected += records[i].valid;
            if (!records[i].valid)
                continue;
            for (unsigned j = 0; j < c->ways; j++)
                newer += records[j].valid && records[j].stamp > records[i].stamp;
            struct memsys_entry found = memsys_look(p->memsys, cpu, id, records[i].line);
            CHECK(p, found.valid && found.order == newer, "cpu%u %s set %u: 0x%08x is not number %u", cpu, name, set,
                  records[i].line, newer);
            CHECK(p, found.dirty == records[i].dirty, "cpu%u %s: 0x%08x: dirty %d", cpu, name, found.line, found.dirty);
        }
        CHECK(p, valid == expected, "cpu%u %s set %u: %u lines, expected %u", cpu, name, set, valid, expected);
    }
}

static void compare_count(struct pair *p, unsigned cpu, const char *name, uint64_t expected)
{
    p->rare += expected == 0;
    char full[64];
    double found = -1;
    if (cpu == UINT32_MAX)
        snprintf(full, sizeof full, "memory.%s", name);
    else
        snprintf(full, sizeof full, "cpu%u.%s", cpu, name);
    CHECK(p, stats_value(p->stats, full, &found), "no statistic %s", full);
    CHECK(p, found == (double)expected, "%s is %.0f, expected %.0f", full, found, (double)expected);
}

static void compare_everything(struct pair *p)
{
    p->rare = 0;
    struct err err = {""};
    CHECK(p, memsys_check(p->memsys, &err), "%s", err.text);
    for (unsigned cpu = 0; cpu < p->reference.cpus; cpu++) {
        struct node *n = &p->reference.node[cpu];
        compare_cache(p, "l1i", cpu, &n->l1i, MEMSYS_L1I);
        compare_cache(p, "l1d", cpu, &n->l1d, MEMSYS_L1D);
        compare_cache(p, "l2", cpu, &n->l2, MEMSYS_L2);
        compare_count(p, cpu, "l1i.misses", n->l1i_misses);
        compare_count(p, cpu, "l1i.invalidations", n->l1i_invalidations);
        compare_count(p, cpu, "l1d.read_misses", n->l1d_read_misses);
        compare_count(p, cpu, "l1d.write_misses", n->l1d_write_misses);
        compare_count(p, cpu, "l1d.write_backs", n->l1d_write_backs);
        compare_count(p, cpu, "l1d.invalidations", n->l1d_invalidations);
        compare_count(p, cpu, "l2.insn_misses", n->l2_insn_misses);
        compare_count(p, cpu, "l2.read_misses", n->l2_read_misses);
        compare_count(p, cpu, "l2.write_misses", n->l2_write_misses);
        compare_count(p, cpu, "l2.upgrades", n->l2_upgrades);
        compare_count(p, cpu, "l2.write_backs", n->l2_write_backs);
        compare_count(p, cpu, "l2.coherence_write_backs", n->l2_coherence_write_backs);
        compare_count(p, cpu, "l2.interventions", n->l2_interventions);
        compare_count(p, cpu, "l2.invalidations", n->l2_invalidations);
        compare_count(p, cpu, "l2.dma_invalidations", n->l2_dma_invalidations);
        compare_count(p, cpu, "uncached", n->uncached);
    }
    compare_count(p, UINT32_MAX, "fills", p->reference.fills);
    compare_count(p, UINT32_MAX, "write_backs", p->reference.write_backs);
}

/* --- streams ---------------------------------------------------------------------------------------------------- */

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(random_next(seed) % limit);
}

/* An address with locality: mostly near the previous one of this CPU and kind; else in a small region that all CPUs
 * share, in a larger one whose lines compete for few sets, at either end of the address space, or far away. */
static uint32_t next_address(uint64_t *seed, uint32_t *last, uint32_t l2_size)
{
    uint32_t choice = random_below(seed, 1000);
    if (choice < 550)
        *last += random_below(seed, 48) - 16;
    else if (choice < 750)
        *last = 0x20000000 + random_below(seed, 2048);
    else if (choice < 850)
        *last = 0x00400000 + random_below(seed, l2_size / 2);
    else if (choice < 950)
        *last = 0x80000000 + random_below(seed, 12) * l2_size / 2 + random_below(seed, 1024);
    else if (choice < 970)
        *last = random_below(seed, 2) ? 0xffffffff - random_below(seed, 512) : random_below(seed, 512);
    else
        *last =
            (uint32_t)random_next(seed) & 0xe03fffff; /* few megabytes: the directory of a real machine is small too */
    return *last;
}

/* Is RECORD the one of its set that was used last? */
static bool is_newest(struct cache *c, const struct record *record)
{
    if (!record)
        return false;
    const struct record *set = set_of(c, record->line);
    for (unsigned i = 0; i < c->ways; i++)
        if (set[i].valid && set[i].stamp > record->stamp)
            return false;
    return true;
}

static uint8_t *quick_byte(struct pair *p, unsigned cpu, enum memsys_access kind, uint32_t address)
{
    bool data = kind != MEMSYS_FETCH;
    uint32_t size = memsys_line(p->memsys, data ? MEMSYS_L1D : MEMSYS_L1I), line = address / size;
    uint32_t at = line % QUICK_BYTES;
    if (p->quick->line[cpu][data][at] != line)
        p->quick->byte[cpu][data][at] = QUICK_NONE;
    p->quick->line[cpu][data][at] = line;
    return &p->quick->byte[cpu][data][at];
}

static void one_access(struct pair *p, unsigned cpu, enum memsys_access kind, uint32_t address)
{
    struct reference *r = &p->reference;
    struct record *inner = look(kind == MEMSYS_FETCH ? &r->node[cpu].l1i : &r->node[cpu].l1d, address);
    bool changes_nothing = is_newest(kind == MEMSYS_FETCH ? &r->node[cpu].l1i : &r->node[cpu].l1d, inner) &&
                           (kind != MEMSYS_WRITE || inner->dirty);
    uint8_t *quick = quick_byte(p, cpu, kind, address);
    cycles stall = 0;
    if (*quick > (kind == MEMSYS_WRITE)) {
        CHECK(p, changes_nothing, "cpu%u kind %d 0x%08x: allowed without asking", cpu, kind, address);
        p->quick->used[kind == MEMSYS_WRITE]++;
    } else {
        struct memsys_request request = {.access = kind,
                                         .address = address,
                                         .virtual_address = address,
                                         .size = 1,
                                         .grant = kind == MEMSYS_FETCH ? QUICK_READ : QUICK_WRITE,
                                         .quick = quick,
                                         .bucket = &p->bucket[cpu]};
        stall = memsys_access(p->memsys, cpu, &request);
    }
    cycles expected = reference_access(r, cpu, kind, address);
    CHECK(p, stall == expected, "cpu%u kind %d 0x%08x: stall %llu, expected %llu", cpu, kind, address,
          (unsigned long long)stall, (unsigned long long)expected);
}

static void one_step(struct pair *p, uint64_t *seed, uint32_t last[16][3])
{
    struct reference *r = &p->reference;
    unsigned cpu = random_below(seed, r->cpus);
    uint32_t choice = random_below(seed, 10000);
    unsigned stream = choice < 5000 ? MEMSYS_FETCH : choice < 8000 ? MEMSYS_READ : MEMSYS_WRITE;
    uint32_t l2_size = r->node[0].l2.sets * r->node[0].l2.ways * r->node[0].l2.line_size;
    uint32_t address = next_address(seed, &last[cpu][stream], l2_size);
    if (choice < 9600) {
        one_access(p, cpu, stream, address);
    } else if (choice < 9800) {
        static const enum memsys_cache caches[] = {MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2};
        enum memsys_cache cache = caches[random_below(seed, 3)];
        enum memsys_cache_op op = random_below(seed, 4);
        memsys_cache_op(p->memsys, cpu, cache, op, address);
        reference_cache_op(r, cpu, cache, op, address);
    } else if (choice < 9950) {
        uint32_t size = random_below(seed, 4) ? random_below(seed, 300) : random_below(seed, 9000);
        if (size > 0xffffffff - address)
            size = 0xffffffff - address;
        bool write = random_below(seed, 2);
        (write ? memsys_dma_write : memsys_dma_read)(p->memsys, address, size, 0);
        if (size > 0)
            reference_dma(r, write, address, size);
    } else if (choice < 9999 || random_below(seed, 4)) {
        cycles stall = memsys_uncached(
            p->memsys, cpu,
            &(struct memsys_request){.access = MEMSYS_READ, .address = address, .bucket = &p->bucket[cpu]});
        reference_uncached(r, cpu);
        CHECK(p, stall == r->uncached_cycles, "uncached stall %llu", (unsigned long long)stall);
    } else {
        memsys_flush(p->memsys);
        reference_flush(r);
    }
    CHECK(p, memcmp(&p->bucket[cpu], &r->node[cpu].bucket, sizeof(struct bucket)) == 0, "cpu%u: buckets differ", cpu);
    compare_line(p, address);
}

struct shape {
    unsigned l1i[3], l1d[3], l2[3]; /* size, line, ways */
};

static const struct shape shapes[] = {
    {{16384, 16, 2}, {16384, 16, 2}, {1 << 20, 128, 1}}, /* 1994 */
    {{32768, 64, 2}, {32768, 32, 2}, {1 << 20, 128, 2}}, /* 1996 */
    {{1024, 8, 1}, {1024, 8, 1}, {4096, 16, 1}},
    {{1024, 16, 2}, {2048, 32, 4}, {8192, 64, 2}},
    {{2048, 128, 8}, {1024, 8, 8}, {8192, 128, 8}},
    {{4096, 64, 4}, {4096, 64, 1}, {4096, 64, 2}}, /* first level as large as the second, same lines */
    {{1024, 32, 1}, {4096, 16, 8}, {16384, 1024, 4}},
    {{1024, 8, 2}, {1024, 16, 2}, {4096, 8 * 16, 16}},
};

static void set_cache(struct params *params, const char *name, const unsigned shape[3])
{
    static const char *const fields[] = {"size", "line", "ways"};
    for (int i = 0; i < 3; i++) {
        char assignment[64];
        struct err err = {""};
        snprintf(assignment, sizeof assignment, "cache.%s.%s=%u", name, fields[i], shape[i]);
        if (!params_set_assignment(params, assignment, &err))
            fail_msg("%s", err.text);
    }
}

static void set_text(struct params *params, const char *assignment)
{
    struct err err = {""};
    if (!params_set_assignment(params, assignment, &err))
        fail_msg("%s", err.text);
}

static void run(const struct shape *shape, unsigned cpus, bool ask_alone, unsigned upgrade_ns, unsigned steps)
{
    char label[64];
    snprintf(label, sizeof label, "shape %d, %u CPUs%s", (int)(shape - shapes), cpus, ask_alone ? ", upgrades" : "");
    struct pair *p = calloc(1, sizeof *p);
    struct reference *r = &p->reference;
    p->label = label;
    p->quick = calloc(1, sizeof *p->quick);
    r->cpus = cpus;
    r->free_upgrades = cpus == 1 && !ask_alone;
    r->hit_cycles = 10;
    r->miss_cycles = 100;
    r->upgrade_cycles = upgrade_ns ? upgrade_ns / 5 : 100;
    r->uncached_cycles = 123;
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        cache_make(&r->node[cpu].l1i, shape->l1i[0], shape->l1i[1], shape->l1i[2]);
        cache_make(&r->node[cpu].l1d, shape->l1d[0], shape->l1d[1], shape->l1d[2]);
        cache_make(&r->node[cpu].l2, shape->l2[0], shape->l2[1], shape->l2[2]);
    }
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    set_cache(params, "l1i", shape->l1i);
    set_cache(params, "l1d", shape->l1d);
    set_cache(params, "l2", shape->l2);
    char text[64];
    snprintf(text, sizeof text, "memory.upgrade_time=%u", upgrade_ns);
    set_text(params, text);
    set_text(params, "memory.uncached_latency=615");
    set_text(params, ask_alone ? "cache.upgrades_on_uniprocessor=on" : "cache.upgrades_on_uniprocessor=off");
    struct err err = {""};
    p->memsys = memsys_create(params, cpus, 200000000, &err);
    if (!p->memsys)
        fail_msg("%s", err.text);
    p->stats = stats_create();
    memsys_register_stats(p->memsys, p->stats);

    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15) + cpus * 1000 + (unsigned)(shape - shapes);
    uint32_t last[16][3] = {{0}};
    unsigned interval = shape->l2[0] > 65536 ? steps / 4 : 1009;
    for (p->step = 0; p->step < steps; p->step++) {
        one_step(p, &seed, last);
        if (p->step % interval == interval - 1)
            compare_everything(p);
    }
    compare_everything(p);
    /* A stream in which something never happens would prove little. One CPU alone is never invalidated by another, nor
     * does it supply one, and may not upgrade. */
    CHECK(p, p->rare == (cpus > 1 ? 0 : r->free_upgrades ? 3 : 2), "%u events never happened", p->rare);

    CHECK(p, p->quick->used[0] > steps / 20 && p->quick->used[1] > steps / 500, "%llu and %llu accesses without asking",
          (unsigned long long)p->quick->used[0], (unsigned long long)p->quick->used[1]);
    memsys_free(p->memsys);
    free(p->quick);
    stats_free(p->stats);
    params_free(params);
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        free(r->node[cpu].l1i.records);
        free(r->node[cpu].l1d.records);
        free(r->node[cpu].l2.records);
    }
    free(p);
}

enum { STEPS = 60000 };

static void all_shapes(unsigned cpus, bool ask_alone, unsigned upgrade_ns)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        run(&shapes[i], cpus, ask_alone, upgrade_ns, STEPS);
}

static void one_cpu(void **state)
{
    (void)state;
    all_shapes(1, false, 0);
}
static void one_cpu_with_upgrades(void **state)
{
    (void)state;
    all_shapes(1, true, 35);
}
static void two_cpus(void **state)
{
    (void)state;
    all_shapes(2, false, 400);
}
static void eight_cpus(void **state)
{
    (void)state;
    all_shapes(8, false, 0);
}
static void sixteen_cpus(void **state)
{
    (void)state;
    run(&shapes[3], 16, false, 0, STEPS);
    run(&shapes[4], 16, false, 200, STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cpu),    cmocka_unit_test(one_cpu_with_upgrades), cmocka_unit_test(two_cpus),
        cmocka_unit_test(eight_cpus), cmocka_unit_test(sixteen_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
