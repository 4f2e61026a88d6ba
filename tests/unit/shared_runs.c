/*
 * Whole runs of machines whose CPUs share caches, or whose memory is in nodes: what the statistics of a run count of
 * its caches is what the model of reference_tree.h counts of the run's references, from power-on to the end.
 *
 *     simos run --stats RUN.json --trace RUN.trace [--set trace.times=on] ...
 *     shared_runs RUN.trace RUN.json [OTHER.json ...]
 *
 * The machine is that of the parameters in RUN.json. The other statistics are of runs that must count the same, such as
 * one without a trace. Compared are all counters of the caches, nodes and memory, misses by mode and class, who evicted
 * what, and, unless something models contention, the stalls of each CPU by mode. Prints each counter that differs, and
 * how many agree; exits 1 if any differs.
 */
#include "cache/observe/trace.h"
#include "src/base/json_file.h"
#include "tests/unit/reference_tree.h"

#include <stdarg.h>

static void refuse(const char *text)
{
    fprintf(stderr, "shared_runs: %s\n", text);
    exit(2);
}

/* --- the machine ------------------------------------------------------------------------------------------------ */

static const struct param_def clock_param = {"cpu.clock", PARAM_HZ,   TRAIT_TIMED, "Hz", "200MHz",
                                             1,           UINT64_MAX, false,       NULL, "as in the statistics"};

/* Sets in PARAMS what OBJECT, inside NAME, has of them. */
static void set_params(struct params *params, const char *name, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char inner[200];
        struct err err = {""};
        snprintf(inner, sizeof inner, "%s%s%s", name, *name ? "." : "", key);
        if (json_is_object(value))
            set_params(params, inner, value);
        else if (params_find(params, inner) && !params_set(params, inner, json_string_value(value), &err))
            refuse(err.text);
    }
}

static const char *const cache_names[MEMSYS_CACHES] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};

static const char *name_of(const char *format, ...)
{
    static char name[120];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    return name;
}

static void need(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "shared_runs: the model has no %s\n", what);
        exit(2);
    }
}

static void read_cache(struct tree_settings *s, const struct params *params, enum memsys_cache id)
{
    struct tree_cache_settings *c = &s->cache[id];
    const char *const name = cache_names[id];
    c->size = (uint32_t)params_u64(params, name_of("cache.%s.size", name));
    c->line = (uint32_t)params_u64(params, name_of("cache.%s.line", name));
    c->ways = (uint32_t)params_u64(params, name_of("cache.%s.ways", name));
    need(params_is(params, name_of("cache.%s.replacement", name), "lru"), "policy but LRU");
    need(params_is(params, name_of("cache.%s.hash", name), "none"), "hash");
    need(params_u64(params, name_of("cache.%s.sector_lines", name)) == 1, "sectors");
    if (id % 2) {
        c->through = params_is(params, name_of("cache.%s.write", name), "through");
        c->no_allocate = params_is(params, name_of("cache.%s.write_allocate", name), "off");
        need(!params_is(params, name_of("cache.%s.write_allocate", name), "validate"), "allocation without a read");
    }
    c->inclusive = id <= MEMSYS_L1D || params_bool(params, name_of("cache.%s.inclusive", name));
    c->exclusive = id > MEMSYS_L1D && params_bool(params, name_of("cache.%s.exclusive", name));
    c->virtual_index = id <= MEMSYS_L1D && params_is(params, name_of("cache.%s.index", name), "virtual");
}

/* FIRST-LAST:WAYS,... */
static void read_partition(struct tree_settings *s, unsigned level, const char *text)
{
    while (*text) {
        char *end;
        const unsigned first = (unsigned)strtoul(text, &end, 10);
        unsigned last = first;
        if (*end == '-')
            last = (unsigned)strtoul(end + 1, &end, 10);
        const uint32_t ways = (uint32_t)strtoul(end + 1, &end, 0);
        for (unsigned cpu = first; cpu <= last && cpu < TREE_CPUS; cpu++)
            s->partition[level][cpu] = ways;
        text = end + (*end == ',');
    }
}

/* The cycles of the time NAME, or of OTHERWISE if it is 0. */
static cycles cycles_of(const struct params *params, const char *name, cycles otherwise)
{
    const uint64_t ns = params_u64(params, name);
    return ns ? (ns * params_u64(params, "cpu.clock") + 999999999) / 1000000000 : otherwise;
}

static void read_times(struct tree_settings *s, const struct params *params)
{
    for (unsigned level = 2; level <= s->levels; level++) {
        s->level_time[level] = cycles_of(params, name_of("memory.l%u_hit_time", level), 0);
        s->inner_upgrade[level] = cycles_of(params, name_of("memory.l%u_upgrade_time", level), s->level_time[level]);
        s->inner_intervention[level] =
            cycles_of(params, name_of("memory.l%u_intervention_time", level), s->level_time[level]);
    }
    s->miss = cycles_of(params, "memory.miss_time", 0);
    s->upgrade = cycles_of(params, "memory.upgrade_time", s->miss);
    s->intervention = cycles_of(params, "memory.intervention_time", s->miss);
    s->remote_miss = cycles_of(params, "memory.remote_time", s->miss);
    s->remote_upgrade = cycles_of(params, "memory.remote_upgrade_time", s->upgrade);
    s->remote_intervention = cycles_of(params, "memory.remote_intervention_time", s->intervention);
}

static void read_nodes(struct tree_settings *s, const struct params *params)
{
    s->nodes = (unsigned)strtoul(params_string(params, "memory.nodes"), NULL, 10);
    if (params_is(params, "memory.home", "address"))
        s->interleave = (uint32_t)params_u64(params, "memory.home_interleave");
    s->in_turn = params_is(params, "memory.home", "round_robin");
    need(!params_is(params, "memory.home", "allocation"), "freed pages of a trace");
    const bool both = params_is(params, "memory.move_pages", "both");
    s->moves.migrates = both || params_is(params, "memory.move_pages", "migrate");
    s->moves.replicates = both || params_is(params, "memory.move_pages", "replicate");
    need(params_is(params, "memory.move_on", "cache_misses"), "misses of the TLB of a trace");
    s->moves.threshold = (uint32_t)params_u64(params, "memory.move_threshold");
    s->moves.sharing = (uint32_t)params_u64(params, "memory.move_sharing_threshold");
    s->moves.writes = (uint32_t)params_u64(params, "memory.move_write_threshold");
    s->moves.again = (uint32_t)params_u64(params, "memory.move_migrate_threshold");
    s->moves.sample = (uint32_t)params_u64(params, "memory.move_sample");
    s->moves.interval = cycles_of(params, "memory.move_interval", 0);
    s->moves.time =
        cycles_of(params, "memory.move_time", TREE_PAGE / s->cache[2 * s->levels - 1].line * s->remote_miss);
}

static struct tree_settings read_machine(const struct params *params, unsigned cpus)
{
    static const char *const models[] = {"none", "one-level", "two-level", "three-level"};
    static const char *const modes[] = {"off", "replacement", "sharing", "full"};
    struct tree_settings s = {.cpus = cpus};
    for (unsigned i = 1; i < 4; i++)
        if (params_is(params, "cache.model", models[i]))
            s.levels = i;
    for (unsigned i = 0; i < 4; i++)
        if (params_is(params, "cache.classify", modes[i]))
            s.classify = (enum classify_mode)i;
    s.mesi = params_is(params, "cache.protocol", "mesi");
    need(!params_is(params, "cache.protocol", "firefly") && !*params_string(params, "cache.update_pages"), "updates");
    s.upgrades_alone = params_bool(params, "cache.upgrades_on_uniprocessor");
    need(params_u64(params, "cache.l1d.assist") == 0, "assist cache");
    s.shared[1] = 1;
    for (unsigned level = 1; level <= s.levels; level++) {
        const enum memsys_cache data = (enum memsys_cache)(2 * level - 1);
        s.split[level] = params_bool(params, name_of("cache.l%u.split", level));
        for (unsigned insn = 0; insn <= s.split[level]; insn++)
            read_cache(&s, params, data - insn);
        if (level == 1)
            continue;
        const char *shared = params_string(params, name_of("cache.l%u.shared", level));
        s.shared[level] = strcmp(shared, "all") == 0 ? TREE_CPUS : (unsigned)strtoul(shared, NULL, 10);
        read_partition(&s, level, params_string(params, name_of("cache.l%u.partition", level)));
        if (!s.cache[data].inclusive) {
            s.directory_entries[level] = (uint32_t)params_u64(params, name_of("cache.l%u.directory_entries", level));
            s.directory_ways[level] = (uint32_t)params_u64(params, name_of("cache.l%u.directory_ways", level));
        }
    }
    read_times(&s, params);
    read_nodes(&s, params);
    return s;
}

/* --- references ------------------------------------------------------------------------------------------------- */

static void make_access(struct tree *t, const struct reference *record)
{
    static const enum memsys_access kinds[] = {
        [REFERENCE_FETCH] = MEMSYS_FETCH, [REFERENCE_READ] = MEMSYS_READ, [REFERENCE_WRITE] = MEMSYS_WRITE};
    const struct tree_access a = {.cpu = record->cpu,
                                  .kind = kinds[record->kind],
                                  .address = record->address,
                                  .virtual_address = record->virtual_address,
                                  .size = record->size,
                                  .now = record->now};
    t->context[a.cpu].mode = record->mode;
    t->context[a.cpu].process = record->process;
    tree_access(t, &a);
}

/* An operation on a level that is split acts on both sides, but in the first level. */
static void make_cache_op(struct tree *t, const struct reference *record)
{
    const unsigned level = record->cache / 2 + 1;
    const enum memsys_cache data = (enum memsys_cache)(2 * level - 1);
    if (level > t->s.levels)
        return;
    for (unsigned insn = 0; insn <= t->s.split[level]; insn++) {
        const enum memsys_cache id = data - insn;
        if (level == 1 && t->s.split[1] && id != record->cache)
            continue;
        if (record->op == MEMSYS_INDEX_INVALIDATE)
            tree_empty_set(t, record->cpu, id, record->address, record->virtual_address);
        else
            tree_cache_op(t, record->cpu, id, record->op, record->address);
    }
}

static uint64_t replay(struct tree *t, const char *path)
{
    struct err err = {""};
    struct trace_info info;
    struct reference record;
    enum trace_next next;
    uint64_t count = 0;
    struct trace_reader *reader = trace_reader_open(path, &info, &err);
    if (!reader)
        refuse(err.text);
    need(info.level == 1 && info.whole && info.cpus == t->s.cpus, "trace of another level or machine");
    need(info.times || !tree_moves(t), "moves of pages without times");
    while ((next = trace_reader_next(reader, &record, &err)) == TRACE_REFERENCE) {
        count++;
        switch (record.kind) {
        case REFERENCE_FETCH:
        case REFERENCE_READ:
        case REFERENCE_WRITE: make_access(t, &record); break;
        case REFERENCE_DMA_READ:
        case REFERENCE_DMA_WRITE:
            if (record.size > 0)
                tree_dma(t, record.kind == REFERENCE_DMA_WRITE, record.address, record.size);
            break;
        case REFERENCE_CACHE_OP: make_cache_op(t, &record); break;
        case REFERENCE_FLUSH: need(false, "emptied caches"); break;
        default: break;
        }
    }
    if (next == TRACE_DAMAGED)
        refuse(err.text);
    trace_reader_close(reader);
    return count;
}

/* --- counters --------------------------------------------------------------------------------------------------- */

struct comparison {
    json_t *root;
    const char *path;
    unsigned same, different, nonzero;
};

/* The statistic NAME, with dots, or NULL. */
static json_t *statistic(json_t *root, const char *name)
{
    char text[120], *rest;
    snprintf(text, sizeof text, "%s", name);
    for (char *word = strtok_r(text, ".", &rest); root && word; word = strtok_r(NULL, ".", &rest))
        root = json_object_get(root, word);
    return root;
}

/* A counter that does not exist must be 0 in the model. */
static void expect(struct comparison *c, uint64_t expected, const char *name)
{
    const json_t *found = statistic(c->root, name);
    const uint64_t value = (uint64_t)json_integer_value(found);
    if (!found && expected == 0)
        return;
    if (found && value == expected) {
        c->same++;
        c->nonzero += value != 0;
        return;
    }
    c->different++;
    printf("%s: %s is %llu, not %llu%s\n", c->path, name, (unsigned long long)value, (unsigned long long)expected,
           found ? "" : " (and does not exist)");
}

static const char *const mode_names[MODE_COUNT] = {
    [MODE_USER] = "user", [MODE_KERNEL] = "kernel", [MODE_IDLE] = "idle"};

static void expect_classes(struct comparison *c, const struct tree *t, unsigned cpu, enum memsys_cache id)
{
    static const char *const kinds[MISS_KINDS] = {[MISS_INSN] = ".insn", [MISS_DATA] = ".data"};
    const struct classify_counts *counts = &t->classes[cpu][id];
    const char *const cache = cache_names[id];
    if (t->s.classify == CLASSIFY_OFF)
        return;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        expect(c, counts->reference[mode], name_of("cpu%u.%s.reference.%s", cpu, cache, mode_names[mode]));
    for (unsigned kind = 0; kind < MISS_KINDS; kind++) {
        const char *const text = t->s.split[id / 2 + 1] ? "" : kinds[kind];
        const uint64_t(*evicted)[MISS_KINDS][MISS_EVICTORS] = counts->evicted;
        const uint64_t user_other = evicted[MODE_USER][kind][EVICTED_BY_OTHER];
        const struct {
            const char *name;
            uint64_t count;
        } rows[] = {
            {"kern_self", evicted[MODE_KERNEL][kind][EVICTED_BY_SELF] + evicted[MODE_IDLE][kind][EVICTED_BY_SELF]},
            {"kern_other", evicted[MODE_KERNEL][kind][EVICTED_BY_OTHER] + evicted[MODE_IDLE][kind][EVICTED_BY_OTHER]},
            {"user_self", evicted[MODE_USER][kind][EVICTED_BY_SELF]},
            {"user_other", user_other},
            {"user_kernel", user_other - counts->user_user[kind]},
            {"user_user", counts->user_user[kind]}};
        if (*text == '\0' && (kind == MISS_INSN) != (id % 2 == 0))
            continue;
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            for (unsigned class = 0; class < CLASS_COUNT; class ++)
                expect(c, counts->miss[mode][kind][class],
                       name_of("cpu%u.%s.miss%s.%s.%s", cpu, cache, text, mode_names[mode],
                               classify_class_name((enum miss_class) class)));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            expect(c, rows[i].count, name_of("cpu%u.%s.evicted%s.%s", cpu, cache, text, rows[i].name));
    }
}

static uint64_t stalls_in(const struct comparison *c, unsigned cpu, enum mode mode)
{
    static const char *const causes[] = {"l1i", "l2i", "l1d", "l2d", "upgrade", "page_move"};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        sum += (uint64_t)json_integer_value(
            statistic(c->root, name_of("cpu%u.mode.%s.stall.%s", cpu, mode_names[mode], causes[i])));
    return sum;
}

static void expect_mode(struct comparison *c, const struct tree *t, unsigned cpu, enum mode mode, bool stalls)
{
    static const char *const accesses[] = {[MEMSYS_FETCH] = "insn", [MEMSYS_READ] = "read", [MEMSYS_WRITE] = "write"};
    const uint64_t(*misses)[3] = t->misses[cpu][mode];
    const char *const name = mode_names[mode];
    expect(c, misses[1][MEMSYS_FETCH], name_of("cpu%u.mode.%s.miss.l1i", cpu, name));
    expect(c, misses[1][MEMSYS_READ], name_of("cpu%u.mode.%s.miss.l1d_read", cpu, name));
    expect(c, misses[1][MEMSYS_WRITE], name_of("cpu%u.mode.%s.miss.l1d_write", cpu, name));
    expect(c, misses[2][MEMSYS_FETCH], name_of("cpu%u.mode.%s.miss.l2_insn", cpu, name));
    expect(c, misses[2][MEMSYS_READ] + misses[2][MEMSYS_WRITE], name_of("cpu%u.mode.%s.miss.l2_data", cpu, name));
    for (unsigned level = 2; level <= t->s.levels; level++)
        for (unsigned kind = level == 2; kind < 3; kind++)
            expect(c, misses[level][kind],
                   name_of("cpu%u.mode.%s.outer_miss.l%u_%s", cpu, name, level, accesses[kind]));
    if (!stalls)
        return;
    const uint64_t found = stalls_in(c, cpu, mode);
    c->same += found == t->stall[cpu][mode];
    c->nonzero += found == t->stall[cpu][mode] && found;
    c->different += found != t->stall[cpu][mode];
    if (found != t->stall[cpu][mode])
        printf("%s: cpu%u.mode.%s.stall is %llu, not %llu\n", c->path, cpu, name, (unsigned long long)found,
               (unsigned long long)t->stall[cpu][mode]);
}

static void expect_cpu(struct comparison *c, const struct tree *t, unsigned cpu, bool stalls)
{
    uint64_t upgrades = 0;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        if (!t->cache[cpu][id])
            continue;
        for (unsigned i = 0; i < TREE_COUNTS; i++)
            expect(c, t->count[cpu][id][i],
                   name_of("cpu%u.%s.%s", cpu, cache_names[id],
                           id == MEMSYS_L1I && i == TREE_INSN_MISSES ? "misses" : tree_count_names[i]));
        expect_classes(c, t, cpu, id);
    }
    for (unsigned tier = 0; tier < t->tiers; tier++)
        for (unsigned i = 0; i < TREE_MEMBER_COUNTS; i++)
            expect(c, t->member_count[tier][cpu][i],
                   name_of("cpu%u.%s.%s", cpu, cache_names[2 * t->tier[tier].level - 1], tree_member_names[i]));
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        expect_mode(c, t, cpu, mode, stalls);
        upgrades += (uint64_t)json_integer_value(
            statistic(c->root, name_of("cpu%u.mode.%s.miss.upgrade", cpu, mode_names[mode])));
    }
    c->same += upgrades == t->upgrade_misses[cpu];
    c->different += upgrades != t->upgrade_misses[cpu];
    if (upgrades != t->upgrade_misses[cpu])
        printf("%s: cpu%u has %llu upgrades, not %llu\n", c->path, cpu, (unsigned long long)upgrades,
               (unsigned long long)t->upgrade_misses[cpu]);
    expect(c, t->local[cpu], name_of("cpu%u.numa.local", cpu));
    expect(c, t->remote[cpu], name_of("cpu%u.numa.remote", cpu));
}

static void expect_nodes(struct comparison *c, const struct tree *t)
{
    for (unsigned node = 0; node < t->s.nodes; node++)
        for (unsigned home = 0; home < t->s.nodes; home++) {
            const uint64_t *asked = t->asked[node][home];
            expect(c, asked[TREE_MEMORY], name_of("numa.node%u.home%u.memory", node, home));
            expect(c, asked[TREE_UPGRADE], name_of("numa.node%u.home%u.upgrades", node, home));
            for (unsigned owner = 0; owner < t->s.nodes; owner++)
                expect(c, asked[owner], name_of("numa.node%u.home%u.cache%u", node, home, owner));
        }
    expect(c, t->hot_pages, "numa.hot_pages");
    expect(c, t->hot_written, "numa.hot_written");
    expect(c, t->hot_moved, "numa.hot_moved");
    expect(c, t->migrations, "numa.migrations");
    expect(c, t->replications, "numa.replications");
    expect(c, t->collapses, "numa.collapses");
}

/* Returns whether the run whose statistics are in PATH counted as T. */
static bool compare(const struct tree *t, const char *path, bool stalls)
{
    struct err err = {""};
    struct comparison c = {.path = path, .root = json_file_read(INPUT_STATISTICS, path, NULL, &err)};
    if (!c.root)
        refuse(err.text);
    for (unsigned cpu = 0; cpu < t->s.cpus; cpu++)
        expect_cpu(&c, t, cpu, stalls);
    if (t->s.nodes > 1)
        expect_nodes(&c, t);
    expect(&c, t->fills, "memory.fills");
    expect(&c, t->write_backs, "memory.write_backs");
    expect(&c, t->writes, "memory.writes");
    printf("%s: %u counters agree, %u of them not 0; %u differ\n", path, c.same, c.nonzero, c.different);
    json_decref(c.root);
    return c.different == 0;
}

/* Do accesses wait for what is busy? The model does not know for how long. */
static bool waits(const struct params *params, const struct tree_settings *s)
{
    bool any = params_bool(params, "memory.contention") || params_u64(params, "memory.home_occupancy") ||
               params_u64(params, "memory.link_occupancy");
    for (unsigned level = 1; level <= s->levels; level++) {
        const char *const name = cache_names[2 * level - 1];
        any |= params_u64(params, name_of("cache.%s.occupancy", name)) ||
               params_u64(params, name_of("cache.%s.write_back_time", name)) ||
               params_u64(params, name_of("cache.%s.write_buffer.depth", name));
    }
    return any;
}

int main(int argc, char **argv)
{
    struct err err = {""};
    bool same = true;
    if (argc < 3)
        refuse("usage: shared_runs TRACE STATISTICS.json ...");
    json_t *root = json_file_read(INPUT_STATISTICS, argv[2], NULL, &err);
    if (!root)
        refuse(err.text);
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    params_define(params, &clock_param, 1);
    json_t *values = json_object_get(root, "parameters");
    set_params(params, "", values);
    const struct tree_settings s =
        read_machine(params, (unsigned)strtoul(json_string_value(statistic(values, "machine.cpus")), NULL, 10));
    struct tree *t = tree_make(&s);
    printf("%s: %llu references\n", argv[1], (unsigned long long)replay(t, argv[1]));
    const bool stalls = !waits(params, &s);
    for (int i = 2; i < argc; i++)
        same &= compare(t, argv[i], stalls);
    tree_free(t);
    params_free(params);
    json_decref(root);
    return !same;
}
