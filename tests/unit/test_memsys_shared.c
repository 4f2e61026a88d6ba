/* Caches that CPUs share: random machines and accesses, compared step by step with the model of reference_tree.h; and
 * experiments whose result is known. */
#include "cache/state/replacement.h"
#include "tests/unit/memsys_fixture.h"
#include "tests/unit/reference_tree.h"

/* Random machines */

static uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

static uint32_t below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(draw(seed) % limit);
}

static void draw_cache(struct tree_settings *s, enum memsys_cache id, uint32_t line, uint32_t least, uint64_t *seed)
{
    static const uint32_t sizes[] = {0, 256, 4096, 8192};
    struct tree_cache_settings *c = &s->cache[id];
    c->line = line;
    c->size = sizes[id / 2 + 1] << below(seed, 3);
    while (c->size < least)
        c->size *= 2;
    c->ways = 1u << below(seed, 4);
    if (id <= MEMSYS_L1D && below(seed, 6) == 0) {
        c->virtual_index = true;
        c->size = 8192 << below(seed, 2);
        c->ways = 1u << below(seed, 2);
    }
    while (c->ways * line > c->size)
        c->ways /= 2;
    c->inclusive = true;
}

/* Divides the ways of LEVEL among CPUs, of which some share a part, and some have all ways or no part. */
static void draw_partition(struct tree_settings *s, unsigned level, uint64_t *seed)
{
    const uint32_t ways = s->cache[2 * level - 1].ways, lower = ways > 1 ? 1 + below(seed, ways - 1) : 1;
    const uint32_t all = (1u << ways) - 1, parts[] = {(1u << lower) - 1, all & ~((1u << lower) - 1), all, 0};
    const unsigned choices = below(seed, 2) ? 2 : 4;
    for (unsigned cpu = 0; cpu < s->cpus; cpu++)
        s->partition[level][cpu] = ways == 1 ? 1 : parts[below(seed, choices)];
}

/* Thresholds that a few accesses reach. */
static void draw_moves(struct tree_settings *s, uint64_t *seed)
{
    s->moves.migrates = below(seed, 2);
    s->moves.replicates = below(seed, 2);
    s->moves.by_tlb = below(seed, 4) == 0;
    s->moves.threshold = 1 + below(seed, 12);
    s->moves.sharing = 1 + below(seed, 6);
    s->moves.writes = 1 + below(seed, 20);
    s->moves.again = 1 + below(seed, 3);
    s->moves.sample = below(seed, 3) ? 1 : 1 + below(seed, 3);
    s->moves.interval = 1000 + below(seed, 400); /* at least a microsecond */
    s->moves.time = 1 + below(seed, 5000);
}

/* Levels that CPUs share are unified and written back, as are those outside. */
static void draw_machine(struct tree_settings *s, uint64_t *seed)
{
    static const unsigned cpus[] = {1, 2, 3, 4, 4, 6, 8, 16, 40, 64};
    memset(s, 0, sizeof *s);
    s->cpus = cpus[below(seed, sizeof cpus / sizeof *cpus)];
    s->levels = 2 + below(seed, 2);
    s->mesi = below(seed, 2);
    s->upgrades_alone = below(seed, 4) == 0;
    s->split[1] = below(seed, 4) != 0;
    s->shared[1] = 1;
    unsigned most = 1;
    while (most < s->cpus)
        most *= 2;
    for (unsigned level = 2; level <= s->levels; level++) {
        s->shared[level] = s->shared[level - 1];
        while (s->shared[level] < most && below(seed, 3))
            s->shared[level] *= 2;
    }
    s->split[2] = s->split[1] && s->shared[2] == 1 && s->levels == 3 && s->shared[3] > 1 && below(seed, 4) == 0;
    uint32_t line = 16u << below(seed, 2), least = 0;
    for (unsigned level = 1; level <= s->levels; level++) {
        const enum memsys_cache data = (enum memsys_cache)(2 * level - 1);
        for (unsigned insn = 0; insn <= s->split[level]; insn++)
            draw_cache(s, data - insn, line, least, seed);
        struct tree_cache_settings *c = &s->cache[data];
        const bool alone = s->shared[level] == 1;
        c->through = alone && level < s->levels && below(seed, 4) == 0 && (level == 1 || s->cache[MEMSYS_L1D].through);
        c->no_allocate = below(seed, 4) == 0;
        if (level > 1 && (!alone || s->levels == 3) && below(seed, 2))
            c->inclusive = s->cache[data - 1].inclusive = false;
        const struct tree_cache_settings *inner = level > 1 ? &s->cache[data - 2] : c;
        if (!c->inclusive && c->line == inner->line && !inner->through && below(seed, 2))
            c->exclusive = s->cache[data - 1].exclusive = true;
        least = c->size > least ? c->size : least;
        if (s->split[level] && s->cache[data - 1].size > least)
            least = s->cache[data - 1].size;
        line <<= below(seed, 2);
    }
    for (unsigned level = 2; level <= s->levels; level++)
        if (!s->split[level] && below(seed, 3) == 0)
            draw_partition(s, level, seed);
    for (unsigned level = 2; level <= s->levels; level++)
        if (s->shared[level] > s->shared[level - 1] && !s->cache[2 * level - 1].inclusive && below(seed, 2)) {
            s->directory_ways[level] = 1 + below(seed, 6);
            s->directory_entries[level] = s->directory_ways[level] << below(seed, 8);
        }
    s->nodes = 1u << below(seed, 5);
    if (s->nodes > 1 && (below(seed, 2) || s->shared[s->levels] > (most > s->nodes ? most / s->nodes : 1)))
        s->nodes = 1;
    if (below(seed, 2))
        s->interleave = 4096u << below(seed, 4);
    else
        s->in_turn = below(seed, 2);
    s->frees = !s->interleave && !s->in_turn && below(seed, 2);
    draw_moves(s, seed);
    s->classify = (enum classify_mode)below(seed, 4);
    s->level_time[2] = 10;
    s->level_time[3] = 30;
    s->miss = 100;
    s->upgrade = 60 + below(seed, 80);
    s->intervention = 60 + below(seed, 80);
    s->remote_miss = 100 + below(seed, 80);
    s->remote_upgrade = 100 + below(seed, 80);
    s->remote_intervention = 100 + below(seed, 80);
    for (unsigned level = 2; level <= s->levels; level++) {
        s->inner_upgrade[level] = s->level_time[level] + below(seed, 20);
        s->inner_intervention[level] = s->level_time[level] + below(seed, 20);
    }
}

static void add(char *text, size_t size, const char *format, ...)
{
    const size_t at = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + at, size - at, format, list);
    va_end(list);
}

static const char *const cache_names[MEMSYS_CACHES] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};

/* As parameters; the clock is 1 GHz, so that nanoseconds are cycles. */
static void settings_of(const struct tree_settings *s, char *text, size_t size)
{
    *text = '\0';
    add(text, size, "cache.model=%s cache.protocol=%s cache.upgrades_on_uniprocessor=%s",
        s->levels == 2 ? "two-level" : "three-level", s->mesi ? "mesi" : "invalidate",
        s->upgrades_alone ? "on" : "off");
    static const char *const modes[] = {"off", "replacement", "sharing", "full"};
    add(text, size, " cache.classify=%s", modes[s->classify]);
    for (unsigned level = 1; level <= s->levels; level++)
        add(text, size, " cache.l%u.split=%s", level, s->split[level] ? "on" : "off");
    for (unsigned level = 2; level <= s->levels; level++)
        add(text, size, " cache.l%u.shared=%u", level, s->shared[level]);
    for (unsigned level = 2; level <= s->levels; level++) {
        if (s->directory_entries[level])
            add(text, size, " cache.l%u.directory_entries=%u cache.l%u.directory_ways=%u", level,
                s->directory_entries[level], level, s->directory_ways[level]);
        bool any = false;
        for (unsigned cpu = 0; cpu < s->cpus; cpu++) {
            const uint32_t part = s->partition[level][cpu];
            if (part && !any)
                add(text, size, " cache.l%u.partition=", level);
            if (part)
                add(text, size, "%s%u-%u:0x%x", any ? "," : "", cpu, cpu, part);
            any |= part != 0;
        }
    }
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        const struct tree_cache_settings *c = &s->cache[id];
        const char *name = cache_names[id];
        if (c->size == 0)
            continue;
        add(text, size, " cache.%s.size=%u cache.%s.line=%u cache.%s.ways=%u", name, c->size, name, c->line, name,
            c->ways);
        if (id % 2)
            add(text, size, " cache.%s.write=%s cache.%s.write_allocate=%s", name, c->through ? "through" : "back",
                name, c->no_allocate ? "off" : "on");
        if (id <= MEMSYS_L1D)
            add(text, size, " cache.%s.index=%s", name, c->virtual_index ? "virtual" : "physical");
        if (id > MEMSYS_L1D)
            add(text, size, " cache.%s.inclusive=%s cache.%s.exclusive=%s", name, c->inclusive ? "on" : "off", name,
                c->exclusive ? "on" : "off");
    }
    add(text, size, " memory.miss_time=%u memory.upgrade_time=%u memory.intervention_time=%u", (unsigned)s->miss,
        (unsigned)s->upgrade, (unsigned)s->intervention);
    if (s->nodes > 1)
        add(text, size,
            " memory.nodes=%u memory.home=%s memory.home_interleave=%u memory.remote_time=%u "
            "memory.remote_upgrade_time=%u memory.remote_intervention_time=%u",
            s->nodes,
            s->interleave ? "address"
            : s->in_turn  ? "round_robin"
            : s->frees    ? "allocation"
                          : "first_touch",
            s->interleave ? s->interleave : 4096, (unsigned)s->remote_miss, (unsigned)s->remote_upgrade,
            (unsigned)s->remote_intervention);
    if (s->nodes > 1)
        add(text, size,
            " memory.move_pages=%s memory.move_on=%s memory.move_threshold=%u memory.move_sharing_threshold=%u "
            "memory.move_write_threshold=%u memory.move_migrate_threshold=%u memory.move_sample=%u "
            "memory.move_interval=%u memory.move_time=%u",
            s->moves.migrates     ? s->moves.replicates ? "both" : "migrate"
            : s->moves.replicates ? "replicate"
                                  : "off",
            s->moves.by_tlb ? "tlb_misses" : "cache_misses", s->moves.threshold, s->moves.sharing, s->moves.writes,
            s->moves.again, s->moves.sample, (unsigned)s->moves.interval, (unsigned)s->moves.time);
    for (unsigned level = 2; level <= s->levels; level++)
        add(text, size, " memory.l%u_hit_time=%u memory.l%u_upgrade_time=%u memory.l%u_intervention_time=%u", level,
            (unsigned)s->level_time[level], level, (unsigned)s->inner_upgrade[level], level,
            (unsigned)s->inner_intervention[level]);
}

/* A machine and its model */

enum { BASE = 0x00400000, REACH = 1 << 16 };

struct both {
    struct machine *m;
    struct tree *t;
    char settings[3000];
    unsigned number, step;
};

#define AT(B) "machine %u, step %u: ", (B)->number, (B)->step
#define EXPECT(B, CONDITION, ...)                                                                                      \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            print_error(AT(B));                                                                                        \
            print_error(__VA_ARGS__);                                                                                  \
            fail_msg("\n%s", (B)->settings);                                                                           \
        }                                                                                                              \
    } while (0)

/* The line of ADDRESS in all caches of all CPUs. */
static void compare_line(struct both *b, paddr address)
{
    for (unsigned cpu = 0; cpu < b->t->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            struct tree_cache *c = b->t->cache[cpu][id];
            if (!c)
                continue;
            const struct tree_line *line = tree_find(c, address);
            const struct memsys_entry entry = memsys_look(b->m->memsys, cpu, id, address);
            EXPECT(b, entry.valid == (line != NULL), "cpu%u %s 0x%08x is %s", cpu, cache_names[id], address,
                   line ? "absent" : "present");
            EXPECT(b, !line || entry.dirty == line->dirty, "cpu%u %s 0x%08x is %s", cpu, cache_names[id], address,
                   line && line->dirty ? "clean" : "dirty");
        }
        const char state = *tree_state(b->t, &b->t->tier[b->t->tiers - 1], cpu, address);
        EXPECT(b, memsys_state(b->m->memsys, cpu, address) == (state ? state : 'I'), "cpu%u 0x%08x: state %c, not %c",
               cpu, address, memsys_state(b->m->memsys, cpu, address), state ? state : 'I');
    }
}

static void expect_counter(struct both *b, uint64_t expected, const char *format, ...)
{
    char name[64];
    double found;
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    if (stats_value(b->m->stats, name, &found))
        EXPECT(b, found == (double)expected, "%s is %.0f, not %llu", name, found, (unsigned long long)expected);
    else
        EXPECT(b, expected == 0, "there is no %s; it would be %llu", name, (unsigned long long)expected);
}

static void compare_counters(struct both *b)
{
    const struct tree *t = b->t;
    for (unsigned cpu = 0; cpu < t->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            for (unsigned i = 0; t->cache[cpu][id] && i < TREE_COUNTS; i++)
                expect_counter(b, t->count[cpu][id][i], "cpu%u.%s.%s", cpu, cache_names[id],
                               id == MEMSYS_L1I && i == TREE_INSN_MISSES ? "misses" : tree_count_names[i]);
        for (unsigned tier = 0; tier < t->tiers; tier++)
            for (unsigned i = 0; i < TREE_MEMBER_COUNTS; i++)
                expect_counter(b, t->member_count[tier][cpu][i], "cpu%u.%s.%s", cpu,
                               cache_names[2 * t->tier[tier].level - 1], tree_member_names[i]);
        expect_counter(b, t->local[cpu], "cpu%u.numa.local", cpu);
        expect_counter(b, t->remote[cpu], "cpu%u.numa.remote", cpu);
        EXPECT(b, b->m->bucket[cpu].miss[MISS_UPGRADE] == t->upgrade_misses[cpu], "cpu%u: upgrades", cpu);
    }
    expect_counter(b, t->hot_pages, "numa.hot_pages");
    expect_counter(b, t->hot_written, "numa.hot_written");
    expect_counter(b, t->hot_moved, "numa.hot_moved");
    expect_counter(b, t->migrations, "numa.migrations");
    expect_counter(b, t->replications, "numa.replications");
    expect_counter(b, t->collapses, "numa.collapses");
    expect_counter(b, t->fills, "memory.fills");
    expect_counter(b, t->write_backs, "memory.write_backs");
    expect_counter(b, t->writes, "memory.writes");
}

static void compare_classes(struct both *b)
{
    const struct classify *classify = memsys_classification(b->m->memsys);
    for (unsigned cpu = 0; classify && cpu < b->t->s.cpus; cpu++) {
        unsigned number = 0;
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            if (!b->t->cache[cpu][id])
                continue;
            const struct classify_counts expected = b->t->classes[cpu][id],
                                         found = *classify_counts(classify, cpu, number++);
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                for (unsigned kind = 0; kind < MISS_KINDS; kind++)
                    for (unsigned class = 0; class < CLASS_COUNT; class ++)
                        EXPECT(b, found.miss[mode][kind][class] == expected.miss[mode][kind][class],
                               "cpu%u %s mode %u kind %u class %s: %llu, not %llu", cpu, cache_names[id], mode, kind,
                               classify_class_name((enum miss_class) class),
                               (unsigned long long)found.miss[mode][kind][class],
                               (unsigned long long)expected.miss[mode][kind][class]);
            EXPECT(b, memcmp(&found, &expected, sizeof found) == 0,
                   "cpu%u %s: evictors, or the misses of the LRU list, differ", cpu, cache_names[id]);
        }
    }
}

static void compare_everything(struct both *b)
{
    struct err err = {""};
    EXPECT(b, memsys_check(b->m->memsys, &err), "%s", err.text);
    for (paddr address = BASE; address < BASE + REACH; address += 16)
        compare_line(b, address);
    compare_counters(b);
    compare_classes(b);
}

/* A makes its access at time NOW. */
static unsigned access_at(struct machine *m, cycles now, const struct tree_access *a)
{
    const struct memsys_request request = {.access = a->kind,
                                           .address = a->address,
                                           .virtual_address = a->virtual_address,
                                           .size = (uint8_t)a->size,
                                           .max_permission = PERMIT_READ_STORE,
                                           .permission = &m->permission,
                                           .now = now,
                                           .bucket = &m->bucket[a->cpu]};
    return (unsigned)memsys_access(m->memsys, a->cpu, &request);
}

static void step(struct both *b, uint64_t *seed, uint32_t reach)
{
    const struct tree_settings *s = &b->t->s;
    const uint32_t choice = below(seed, 1000);
    const bool near = below(seed, 2);
    struct tree_access a = {.cpu = below(seed, s->cpus),
                            .kind = choice < 250   ? MEMSYS_FETCH
                                    : choice < 650 ? MEMSYS_READ
                                                   : MEMSYS_WRITE,
                            .now = b->step};
    a.size = a.kind == MEMSYS_FETCH ? 4 : 1u << below(seed, 4);
    a.address = BASE + below(seed, near ? 512 : reach) / a.size * a.size;
    a.virtual_address = a.address + below(seed, 8) / 6 * TREE_PAGE; /* a few by another page */
    if (choice < 970) {
        if (tree_moves(b->t) && s->moves.by_tlb && below(seed, 2)) {
            memsys_tlb_missed(b->m->memsys, a.cpu, a.address, b->step);
            tree_tlb_miss(b->t, a.cpu, a.address, b->step);
        }
        const unsigned stall = access_at(b->m, b->step, &a);
        const cycles expected = tree_access(b->t, &a);
        EXPECT(b, stall == expected, "cpu%u kind %d 0x%08x: %u cycles, not %u", a.cpu, a.kind, a.address, stall,
               (unsigned)expected);
    } else if (choice < 975) {
        const enum mode mode = (enum mode)below(seed, MODE_COUNT);
        const uint32_t process = below(seed, 3);
        memsys_set_context(b->m->memsys, a.cpu, mode, process);
        b->t->context[a.cpu].mode = mode;
        b->t->context[a.cpu].process = process;
    } else if (choice < 978 && s->nodes > 1 && s->frees) {
        memsys_page_freed(b->m->memsys, a.address);
        tree_free_page(b->t, a.address);
    } else if (choice < 985) {
        const uint32_t size = 4 * (1 + below(seed, 64));
        const bool write = below(seed, 2);
        (write ? memsys_dma_write : memsys_dma_read)(b->m->memsys, a.address, size, 0);
        tree_dma(b->t, write, a.address, size);
    } else {
        static const enum memsys_cache_op ops[] = {MEMSYS_HIT_INVALIDATE, MEMSYS_HIT_WRITEBACK,
                                                   MEMSYS_HIT_WRITEBACK_INVALIDATE, MEMSYS_INDEX_INVALIDATE};
        const enum memsys_cache id = (enum memsys_cache)below(seed, 2 * s->levels);
        const enum memsys_cache_op op = ops[below(seed, 4)];
        /* an operation on a level that is split acts on both sides */
        if (!b->t->cache[a.cpu][id] || (id > MEMSYS_L1D && s->split[id / 2 + 1]))
            return;
        memsys_cache_op(b->m->memsys, a.cpu, id, op,
                        &(struct memsys_request){.address = a.address, .virtual_address = a.virtual_address});
        if (op == MEMSYS_INDEX_INVALIDATE)
            tree_empty_set(b->t, a.cpu, id, a.address, a.virtual_address);
        else
            tree_cache_op(b->t, a.cpu, id, op, a.address);
    }
    compare_line(b, a.address);
}

/* Of a random machine, every INTERVAL steps everything is compared. */
static void run_machine(unsigned number, unsigned steps, unsigned interval)
{
    struct tree_settings s;
    struct both b = {.number = number};
    uint64_t seed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 8; i++)
        draw(&seed);
    draw_machine(&s, &seed);
    settings_of(&s, b.settings, sizeof b.settings);
    b.m = machine_at(1000 * MHZ, s.cpus, b.settings);
    b.t = tree_make(&s);
    const uint32_t reach = 4096u << below(&seed, 5);
    for (b.step = 1; b.step <= steps; b.step++) {
        step(&b, &seed, reach < REACH ? reach : REACH);
        if (b.step % interval == 0)
            compare_everything(&b);
    }
    compare_everything(&b);
    tree_free(b.t);
    done(b.m);
}

enum { MACHINES = 600, STEPS = 1500, INTERVAL = 500 };

static void random_machines(void **state)
{
    (void)state;
    for (unsigned number = 0; number < MACHINES; number++)
        run_machine(number, STEPS, INTERVAL);
}

/* Experiments with known answers. The second level is shared and has sets of 16 lines; all lines are in one set, of
 * which the first levels have two. Hit 10 cycles, memory 100. */

#define SHARED_L2                                                                                                      \
    "cache.l1i.size=256 cache.l1i.line=64 cache.l1d.size=256 cache.l1d.line=64 cache.l2.size=4K cache.l2.line=64 "     \
    "cache.l2.ways=16 cache.l2.shared=all memory.l2_hit_time=50 memory.l2_upgrade_time=75 "                            \
    "memory.l2_intervention_time=90 "
enum { APART = 256 }; /* bytes from a line of the set to the next one */

/* CPU loads COUNT lines from ADDRESS on. Returns the sum of the stalls. */
static unsigned load_lines(struct machine *m, unsigned cpu, paddr address, unsigned count)
{
    unsigned stalls = 0;
    for (unsigned i = 0; i < count; i++)
        stalls += load(m, cpu, address + i * APART);
    return stalls;
}

/* What one CPU has brought the other finds. */
static void one_cpu_finds_what_another_brought(void **state)
{
    (void)state;
    struct machine *m = machine(2, SHARED_L2);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(load(m, 1, A), L2_HIT);
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(value(m, "cpu0.l2.read_misses"), 1);
    assert_int_equal(value(m, "cpu1.l2.read_misses"), 0);
    done(m);
}

/* A line that bounces between two first levels costs the intervention and the upgrade of the level that they share, and
 * never memory. */
static void ping_pong_stays_inside(void **state)
{
    (void)state;
    struct machine *m = machine(2, SHARED_L2);
    store(m, 0, A);
    for (unsigned i = 0; i < 10; i++) {
        const unsigned cpu = ~i & 1, other = cpu ^ 1;
        assert_int_equal(load(m, cpu, A), 18);  /* 90 ns */
        assert_int_equal(store(m, cpu, A), 15); /* 75 ns: the other one has it, too */
        assert_int_equal(m->bucket[cpu].miss[MISS_UPGRADE], i / 2 + 1);
        assert_int_equal(memsys_state(m->memsys, other, A), 'I');
    }
    assert_int_equal(value(m, "memory.fills"), 1);
    assert_int_equal(value(m, "memory.write_backs"), 0);
    assert_int_equal(value(m, "cpu0.l1d.interventions") + value(m, "cpu1.l1d.interventions"), 10);
    done(m);
}

/* The wait for lines from beyond a CPU's own caches is by class, whoever answers: a line that another CPU has stored to
 * is a coherence miss that the shared level, or a cache inside it, ends; upgrades are not waits for lines. With and
 * without queues. */
static void waits_for_the_shared_level_have_their_class(void **state)
{
    enum { LOADS = 10 };
    (void)state;
    for (unsigned timed = 0; timed < 2; timed++) {
        struct machine *m = machine(2, timed ? SHARED_L2 "cache.classify=sharing memory.contention=on"
                                             : SHARED_L2 "cache.classify=sharing");
        unsigned cold = store(m, 0, A), shared = 0;
        cold += load(m, 1, A + 0x1000) + load(m, 1, A); /* the second is the first line's, for this CPU */
        store(m, 1, A);
        for (unsigned i = 0; i < LOADS; i++) {
            shared += load(m, i & 1, A);
            store(m, i & 1, A);
        }
        uint64_t by_class[CLASS_COUNT] = {0};
        for (unsigned cpu = 0; cpu < 2; cpu++)
            for (unsigned class = 0; class < CLASS_COUNT; class ++)
                for (enum mode mode = 0; mode < MODE_COUNT; mode++)
                    by_class[class] +=
                        classify_wait_cycles(memsys_classification(m->memsys), cpu, mode)[MISS_DATA][class];
        assert_int_equal(by_class[CLASS_TRUE_SHARING], shared);
        assert_in_range(shared, LOADS * 18, LOADS * 36);
        assert_int_equal(by_class[CLASS_COLD], cold);
        assert_int_equal(by_class[CLASS_UPGRADE], 0);
        done(m);
    }
}

/* One CPU that uses 12 lines in turn fits into 16 and loses nothing. Two do not fit, and lose all: of the 12 the other
 * CPU evicts 8, and the CPU itself the 4 that were left. With a partition of 12 and 4 ways the first loses nothing
 * again. */
static void a_partition_gives_back_what_thrashing_takes(void **state)
{
    enum { OWN = 12, ROUNDS = 10, OTHERS = A + 0x10000 };
    static const struct {
        const char *settings;
        bool both;
        unsigned to_other, to_itself; /* of its lines, a round */
    } runs[] = {{"", false, 0, 0}, {"", true, 8, 4}, {"cache.l2.partition=0:0x0fff,1-1:0xf000", true, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char settings[500];
        snprintf(settings, sizeof settings, "%s cache.classify=full %s", SHARED_L2, runs[i].settings);
        struct machine *m = machine(2, settings);
        for (unsigned round = 0; round < ROUNDS; round++) {
            load_lines(m, 0, A, OWN);
            if (runs[i].both)
                load_lines(m, 1, OTHERS, OWN);
        }
        assert_int_equal(value(m, "cpu0.l2.read_misses"), OWN + (runs[i].to_other + runs[i].to_itself) * (ROUNDS - 1));
        assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.cold"), OWN);
        assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.interference"), runs[i].to_other * (ROUNDS - 1));
        assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.conflict"), runs[i].to_itself * (ROUNDS - 1));
        done(m);
    }
}

/* Lines that fit into the first level stay there if the directory of the shared level has entries for all. One that
 * lacks entries takes out the line whose entry gives way: with LRU, each time around, each line. */
static void a_sparse_directory_that_is_too_small_evicts(void **state)
{
    enum { LINES = 12, ROUNDS = 10, FEW = 8 };
    (void)state;
    for (unsigned entries = FEW; entries <= 2 * FEW; entries += FEW) {
        char settings[600];
        snprintf(settings, sizeof settings,
                 "%s cache.l1d.size=4K cache.l1d.ways=16 cache.l2.inclusive=off cache.classify=full "
                 "cache.l2.directory_entries=%u cache.l2.directory_ways=%u",
                 SHARED_L2, entries, entries);
        struct machine *m = machine(2, settings);
        for (unsigned round = 0; round < ROUNDS; round++)
            load_lines(m, 0, A, LINES);
        store(m, 0, A);
        load(m, 1, A); /* the entry is there: no other one gives way */
        const bool few = entries == FEW;
        assert_int_equal(value(m, "cpu0.l1d.directory_evictions"), few ? LINES * ROUNDS + 1 - FEW : 0);
        assert_int_equal(value(m, "cpu1.l1d.directory_evictions"), 0);
        assert_int_equal(value(m, "cpu0.l1d.read_misses"), few ? LINES * ROUNDS : LINES);
        assert_int_equal(value(m, "cpu0.l1d.miss.kernel.inclusion"), few ? LINES * (ROUNDS - 1) + 1 : 0);
        assert_int_equal(value(m, "cpu0.l2.read_misses"), LINES);
        done(m);
    }
}

/* A way that is empty is taken from the lowest one on: the lines of CPU 0, which may take all, are first in the ways of
 * CPU 1. */
static void the_lowest_empty_way_is_filled(void **state)
{
    (void)state;
    for (unsigned i = 0; i < replacement_count(); i++) {
        char settings[500];
        snprintf(settings, sizeof settings, "%s cache.l2.replacement=%s cache.l2.partition=1:0x0003", SHARED_L2,
                 replacement_at(i)->name);
        struct machine *m = machine(2, settings);
        load_lines(m, 0, A, 4);
        cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_INVALIDATE, A + APART);
        cache_op(m, 0, MEMSYS_L2, MEMSYS_HIT_INVALIDATE, A + 2 * APART);
        load(m, 1, A + 0x10000);
        for (uint32_t way = 0; way < 5; way++) {
            static const paddr lines[] = {A, A + 0x10000, 0, A + 3 * APART, 0};
            const struct memsys_entry line = memsys_entry_at(m->memsys, 0, MEMSYS_L2, way);
            assert_int_equal(line.valid ? line.line : 0, lines[way]);
        }
        done(m);
    }
}

/* Whatever the policy, a CPU's lines stay in its ways: the other loses nothing. */
static void every_policy_keeps_to_the_ways(void **state)
{
    (void)state;
    for (unsigned i = 0; i < replacement_count(); i++) {
        char settings[500];
        snprintf(settings, sizeof settings, "%s cache.l2.replacement=%s cache.l2.partition=0:0x000f,1:0x0ff0",
                 SHARED_L2, replacement_at(i)->name);
        struct machine *m = machine(2, settings);
        load_lines(m, 1, A, 8);
        load_lines(m, 0, A + 0x10000, 100);
        const unsigned before = value(m, "cpu1.l2.read_misses");
        load_lines(m, 1, A, 8);
        assert_int_equal(value(m, "cpu1.l2.read_misses"), before);
        uint32_t ways;
        unsigned held = 0;
        for (uint32_t entry = 0; entry < memsys_entries(m->memsys, MEMSYS_L2, &ways); entry++) {
            const struct memsys_entry line = memsys_entry_at(m->memsys, 0, MEMSYS_L2, entry);
            held += line.valid;
            assert_true(!line.valid || (line.line >= A + 0x10000 ? entry < 4 : entry >= 4 && entry < 12));
        }
        assert_int_equal(held, 12);
        done(m);
    }
}

/* An inner line leaves with that of the shared level, whoever's access evicts it; that is no coherence. */
static void eviction_from_a_shared_level_takes_inner_lines(void **state)
{
    (void)state;
    struct machine *m = machine(2, SHARED_L2 "cache.classify=full");
    load(m, 0, A);
    load_lines(m, 1, A + 0x10000, 16);
    assert_int_equal(value(m, "cpu0.l1d.invalidations"), 1);
    assert_int_equal(load(m, 0, A), MEMORY);
    assert_int_equal(value(m, "cpu0.l1d.miss.kernel.inclusion"), 1);
    assert_int_equal(value(m, "cpu0.l2.miss.data.kernel.interference"), 1);
    done(m);
}

/* A cache that CPUs share is compared as the first one's. */
static void a_shared_cache_is_compared_once(void **state)
{
    (void)state;
    struct machine *m[2];
    for (unsigned i = 0; i < 2; i++)
        m[i] = machine(4, SHARED_L2 "cache.l1d.ways=1 cache.l2.shared=2");
    load(m[0], 3, A);
    for (unsigned cpu = 0; cpu < 4; cpu++)
        assert_int_equal(memsys_is_same(m[0]->memsys, m[1]->memsys, cpu), cpu < 2);
    cache_op(m[0], 3, MEMSYS_L1D, MEMSYS_HIT_INVALIDATE, A);
    for (unsigned cpu = 0; cpu < 4; cpu++)
        assert_int_equal(memsys_is_same(m[0]->memsys, m[1]->memsys, cpu), cpu != 2);
    done(m[0]);
    done(m[1]);
}

/* What a shared level cannot be, and masks that are none. */
static void what_is_refused(void **state)
{
    static const struct {
        const char *settings, *text;
    } refused[] = {
        {"cache.l2.inclusive=off cache.l2.directory_entries=64",
         "cache.l2.directory_entries is 64: needs cache.l2.shared"},
        {"cache.l2.shared=2 cache.l2.directory_entries=64",
         "cache.l2.directory_entries is 64: needs cache.l2.inclusive=off"},
        {"cache.l2.shared=2 cache.l2.inclusive=off cache.l2.directory_entries=48",
         "cache.l2.directory_entries is 48: cache.l2.directory_ways = 8 times a power of two needed"},
        {"cache.l2.shared=2 cache.l2.split=on", "cache.l2.shared is 2: needs cache.l2.split=off"},
        {"cache.l2.shared=2 cache.l1d.write=through cache.l2.write=through",
         "cache.l2.shared is 2: needs cache.l2.write=back"},
        {"cache.model=three-level cache.l2.shared=4 cache.l3.shared=2",
         "cache.l3.shared is 2: at least cache.l2.shared = 4 needed"},
        {"cache.l2.shared=2 cache.protocol=firefly",
         "cache.l2.shared is 2: not possible with the update protocol (firefly)"},
        {"cache.l2.shared=2 cache.l1d.write_allocate=validate",
         "cache.l2.shared is 2: not possible with cache.l1d.write_allocate=validate"},
        {"cache.l2.partition=0", NULL},
        {"cache.l2.partition=0:0", NULL},
        {"cache.l2.partition=0:2", NULL}, /* one way */
        {"cache.l2.partition=1-0:1", NULL},
        {"cache.l2.partition=0:1,", NULL},
        {"cache.l2.partition=a:1", NULL},
        {"cache.l2.partition=0:99999999999999999999", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct params *params = make_params(refused[i].settings);
        struct err err = {""};
        assert_null(memsys_create(params, 4, 200 * MHZ, &err));
        if (refused[i].text)
            assert_string_equal(err.text, refused[i].text);
        else
            assert_non_null(strstr(err.text, "cache.l2.partition is \""));
        params_free(params);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines),
        cmocka_unit_test(one_cpu_finds_what_another_brought),
        cmocka_unit_test(ping_pong_stays_inside),
        cmocka_unit_test(waits_for_the_shared_level_have_their_class),
        cmocka_unit_test(a_partition_gives_back_what_thrashing_takes),
        cmocka_unit_test(a_sparse_directory_that_is_too_small_evicts),
        cmocka_unit_test(the_lowest_empty_way_is_filled),
        cmocka_unit_test(every_policy_keeps_to_the_ways),
        cmocka_unit_test(eviction_from_a_shared_level_takes_inner_lines),
        cmocka_unit_test(a_shared_cache_is_compared_once),
        cmocka_unit_test(what_is_refused),
    };
    if (argc == 5 && strcmp(argv[1], "soak") == 0) {
        const unsigned first = (unsigned)atoi(argv[2]), count = (unsigned)atoi(argv[3]);
        for (unsigned number = first; number < first + count; number++)
            run_machine(number, (unsigned)atoi(argv[4]), count == 1 ? 1 : INTERVAL);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
