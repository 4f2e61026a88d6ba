#include "cache/state/geometry.h"

#include "cache/state/array.h"
#include "cache/state/modulo.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[MEMSYS_CACHES] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};

const char *cache_name(enum memsys_cache cache)
{
    return names[cache];
}

static void name_of(char *name, size_t size, const char *cache, const char *field)
{
    snprintf(name, size, "cache.%s.%s", cache, field);
}

static uint64_t number(const struct params *params, const char *cache, const char *field)
{
    char name[64];
    name_of(name, sizeof name, cache, field);
    return params_u64(params, name);
}

static const char *word_of(const struct params *params, const char *cache, const char *field)
{
    char name[64];
    name_of(name, sizeof name, cache, field);
    return params_string(params, name);
}

static bool says(const struct params *params, const char *cache, const char *field, const char *word)
{
    return strcmp(word_of(params, cache, field), word) == 0;
}

/* hash=space: only a virtual index depends on the address space, and the index within a page is not hashed. */
static bool check_space(const struct cache_geometry *g, const char *name, struct err *err)
{
    if (!g->by_virtual)
        return err_set(err, "cache.%s.hash is space: needs a first-level cache with cache.%s.index=virtual", name,
                       name);
    return g->size / g->ways > PAGE_SIZE ||
           err_set(err, "cache.%s.hash is space: needs cache.%s.size / cache.%s.ways above a page, %u bytes", name,
                   name, name, PAGE_SIZE);
}

/* A cache is a whole number of sets. A sector is within a page, so that a virtual index has its lines together, too. */
static bool check_size(const struct cache_geometry *g, const char *name, struct err *err)
{
    char sector[64] = "";
    const uint32_t set = g->line * g->sector_lines * g->ways;
    if (g->sector_lines > 1)
        snprintf(sector, sizeof sector, " * cache.%s.sector_lines", name);
    if (g->line * g->sector_lines > PAGE_SIZE)
        return err_set(err, "cache.%s.sector_lines is %u: at most %u possible with cache.%s.line=%u (a page)", name,
                       g->sector_lines, PAGE_SIZE / g->line, name, g->line);
    return (g->size >= set && g->size % set == 0) ||
           err_set(err, "cache.%s.size is %u bytes: %s cache.%s.line%s * cache.%s.ways = %u needed", name, g->size,
                   g->size < set ? "at least" : "a multiple of", name, sector, name, set);
}

static bool read_cache(struct geometry *geometry, const struct params *params, enum memsys_cache cache, struct err *err)
{
    struct cache_geometry *g = &geometry->cache[cache];
    const char *name = names[cache];
    g->exists = true;
    g->size = (uint32_t)number(params, name, "size");
    g->line = (uint32_t)number(params, name, "line");
    g->ways = (uint32_t)number(params, name, "ways");
    g->sector_lines = (uint32_t)number(params, name, "sector_lines");
    g->replacement = replacement_named(word_of(params, name, "replacement"));
    g->hashed = says(params, name, "hash", "xor");
    g->by_space = says(params, name, "hash", "space");
    g->allocate = true;
    if (level_of(cache) == 1)
        g->by_virtual = says(params, name, "index", "virtual");
    else
        g->inclusive = number(params, name, "inclusive");
    if (level_of(cache) > 1)
        g->exclusive = number(params, name, "exclusive");
    if (cache == data_cache(level_of(cache))) {
        g->through = says(params, name, "write", "through");
        const bool unread = says(params, name, "write_allocate", "validate");
        g->validate = unread && !g->through;
        g->allocate_words = unread && g->through;
        g->allocate = !g->allocate_words && !says(params, name, "write_allocate", "off");
    }
    if (cache == MEMSYS_L1D)
        g->assist = (uint32_t)number(params, name, "assist");
    return check_size(g, name, err) && (!g->by_space || check_space(g, name, err));
}

/* OUTER, which is exclusive, takes whole lines of INNER, modified or not. */
static bool check_exclusive(const struct geometry *geometry, enum memsys_cache inner, enum memsys_cache outer,
                            struct err *err)
{
    const struct cache_geometry *in = &geometry->cache[inner], *out = &geometry->cache[outer];
    const char *name = names[outer];
    char cause[48];
    snprintf(cause, sizeof cause, "cache.%s.exclusive is on", name);
    if (out->inclusive)
        return err_set(err, "%s: needs cache.%s.inclusive=off", cause, name);
    if (in->line != out->line)
        return err_set(err, "%s: needs cache.%s.line=%u as cache.%s", cause, name, in->line, names[inner]);
    if (out->sector_lines > 1)
        return err_set(err, "%s: needs cache.%s.sector_lines=1", cause, name);
    if (in->through || in->allocate_words)
        return err_set(err, "%s: needs cache.%s.write=back", cause, names[inner]);
    return true;
}

/* Checks a cache against the next outer one on its path. */
static bool check_pair(const struct geometry *geometry, enum memsys_cache inner, enum memsys_cache outer,
                       struct err *err)
{
    const struct cache_geometry *in = &geometry->cache[inner], *out = &geometry->cache[outer];
    if (in->line > out->line)
        return err_set(err, "cache.%s.line is %u bytes: at most cache.%s.line = %u possible", names[inner], in->line,
                       names[outer], out->line);
    if (out->inclusive && in->size > out->size)
        return err_set(err, "cache.%s.size is %u bytes: at most cache.%s.size = %u possible", names[inner], in->size,
                       names[outer], out->size);
    if (out->through && !in->through && inner == data_cache(level_of(inner)))
        return err_set(err, "cache.%s.write is through: not possible behind a write-back cache (cache.%s)",
                       names[outer], names[inner]);
    return !out->exclusive || check_exclusive(geometry, inner, outer, err);
}

static bool check_levels(const struct geometry *g, struct err *err)
{
    for (unsigned level = 2; level <= g->levels; level++) {
        bool split = g->cache[insn_cache(level)].exists;
        bool inner_split = g->cache[insn_cache(level - 1)].exists;
        if (split && !inner_split)
            return err_set(err, "cache.l%u.split is on: not possible behind a unified level", level);
        if (inner_split && !check_pair(g, insn_cache(level - 1), split ? insn_cache(level) : data_cache(level), err))
            return false;
        if (!check_pair(g, data_cache(level - 1), data_cache(level), err))
            return false;
    }
    const struct cache_geometry *insn = &g->cache[insn_cache(g->levels)], *data = &g->cache[data_cache(g->levels)];
    if (insn->exists && insn->line != data->line)
        return err_set(err, "cache.%s.line is %u bytes: in the last level it must equal cache.%s.line, which is %u",
                       names[insn_cache(g->levels)], insn->line, names[data_cache(g->levels)], data->line);
    return true;
}

/* Checks what a data cache needs that allocates lines without reading them. CAUSE: the parameter with its value. */
static bool check_outside(const struct geometry *g, unsigned level, const char *cause, struct err *err)
{
    if (g->cache[data_cache(level)].through)
        return err_set(err, "%s: not possible with cache.%s.write=through", cause, names[data_cache(level)]);
    while (++level <= g->levels)
        if (!g->cache[data_cache(level)].inclusive)
            return err_set(err, "%s: needs cache.%s.inclusive=on", cause, names[data_cache(level)]);
    return true;
}

/* A line of one word is never partly valid. */
static bool check_words(const struct geometry *g, enum memsys_cache cache, const char *cause, struct err *err)
{
    if (level_of(cache) > 1)
        return err_set(err, "%s: not possible with cache.%s.write=through", cause, names[cache]);
    return g->cache[cache].line == ARRAY_WORD || err_set(err, "%s: needs cache.%s.line=%u with cache.%s.write=through",
                                                         cause, names[cache], ARRAY_WORD, names[cache]);
}

static bool check_validate(const struct geometry *g, const struct params *params, struct err *err)
{
    for (unsigned level = 1; level <= g->levels; level++) {
        const enum memsys_cache cache = data_cache(level);
        char cause[48];
        snprintf(cause, sizeof cause, "cache.%s.write_allocate is validate", names[cache]);
        if (g->cache[cache].allocate_words && !check_words(g, cache, cause, err))
            return false;
        if (g->cache[cache].validate && !check_outside(g, level, cause, err))
            return false;
        if (g->cache[cache].validate && !params_is(params, "cache.classify", "off"))
            return err_set(err, "%s: needs cache.classify=off (misses of words that are not valid have no class)",
                           cause);
    }
    return true;
}

/* PREF with hint 30 allocates a line in the first level. An outer level that does not have it gets it, too, and there
 * the rest of a longer line is not valid. */
static bool check_prepare(const struct geometry *g, struct err *err)
{
    static const char *const cause = "cache.l1d.prepare_for_store is allocate";
    if (g->prepare != PREPARE_ALLOCATES)
        return true;
    for (unsigned level = 2; level <= g->levels; level++) {
        const struct cache_geometry *outer = &g->cache[data_cache(level)];
        if (outer->line != g->cache[MEMSYS_L1D].line && !outer->validate)
            return err_set(err, "%s: needs cache.%s.write_allocate=validate, or cache.%s.line=%u as cache.l1d", cause,
                           names[data_cache(level)], names[data_cache(level)], g->cache[MEMSYS_L1D].line);
    }
    return check_outside(g, 1, cause, err);
}

/* An assist cache holds data only, and lines that are valid as a whole. */
static bool check_assist(const struct geometry *g, struct err *err)
{
    const struct cache_geometry *data = &g->cache[MEMSYS_L1D];
    const char *without = !g->cache[MEMSYS_L1I].exists ? "cache.l1.split=off"
                          : data->validate             ? "cache.l1d.write_allocate=validate"
                                                       : NULL;
    return !data->assist || !without ||
           err_set(err, "cache.l1d.assist is %u: not possible with %s", data->assist, without);
}

/* The lowest power of two that is at least NUMBER. */
static unsigned power_from(unsigned long number)
{
    unsigned power = 1;
    while (power < number)
        power *= 2;
    return power;
}

/* cache.LEVEL.shared as a number of CPUs, a power of two. */
static unsigned shared_by(const struct params *params, unsigned level, unsigned cpus)
{
    const char *word = word_of(params, names[data_cache(level)], "shared");
    const unsigned long given = strcmp(word, "all") == 0 ? cpus : strtoul(word, NULL, 10);
    return power_from(given < cpus ? given : cpus);
}

/* What the shared level LEVEL, and those outside it, must be: its lines say which of the caches inside it have them. */
static bool check_shared(const struct geometry *g, const struct params *params, unsigned level, struct err *err)
{
    char cause[48];
    snprintf(cause, sizeof cause, "cache.%s.shared is %u", names[data_cache(level)], g->shared[level]);
    for (unsigned outer = level; outer <= g->levels; outer++) {
        const char *name = names[data_cache(outer)];
        if (g->cache[insn_cache(outer)].exists)
            return err_set(err, "%s: needs cache.l%u.split=off", cause, outer);
        if (g->cache[data_cache(outer)].through)
            return err_set(err, "%s: needs cache.%s.write=back", cause, name);
        if (g->shared[outer] < g->shared[level])
            return err_set(err, "cache.%s.shared is %u: at least cache.%s.shared = %u needed", name, g->shared[outer],
                           names[data_cache(level)], g->shared[level]);
    }
    for (unsigned inner = 1; inner <= g->levels; inner++)
        if (g->cache[data_cache(inner)].validate || g->cache[data_cache(inner)].allocate_words)
            return err_set(err, "%s: not possible with cache.%s.write_allocate=validate", cause,
                           names[data_cache(inner)]);
    if (g->prepare == PREPARE_ALLOCATES)
        return err_set(err, "%s: not possible with cache.l1d.prepare_for_store=allocate", cause);
    if (params_is(params, "cache.protocol", "firefly") || *g->update_pages)
        return err_set(err, "%s: not possible with the update protocol (firefly)", cause);
    return true;
}

/* The directory of LEVEL, if it has a limited number of entries: it is of what inner caches have and the level need
 * not. */
static bool check_directory(const struct geometry *g, const struct params *params, unsigned level, struct err *err)
{
    const char *name = names[data_cache(level)];
    const uint32_t entries = g->directory_entries[level], ways = g->directory_ways[level];
    if (entries == 0)
        return true;
    if (strcmp(word_of(params, name, "shared"), "1") == 0)
        return err_set(err, "cache.%s.directory_entries is %u: needs cache.%s.shared", name, entries, name);
    if (g->cache[data_cache(level)].inclusive)
        return err_set(err, "cache.%s.directory_entries is %u: needs cache.%s.inclusive=off", name, entries, name);
    if (entries % ways != 0 || (entries / ways & (entries / ways - 1)) != 0)
        return err_set(err,
                       "cache.%s.directory_entries is %u: cache.%s.directory_ways = %u times a power of two needed",
                       name, entries, name, ways);
    return true;
}

static bool read_shared(struct geometry *g, const struct params *params, unsigned cpus, struct err *err)
{
    g->shared[1] = 1;
    for (unsigned level = 2; level <= g->levels; level++) {
        g->shared[level] = shared_by(params, level, cpus);
        g->partition[level] = word_of(params, names[data_cache(level)], "partition");
        g->directory_entries[level] = (uint32_t)number(params, names[data_cache(level)], "directory_entries");
        g->directory_ways[level] = (uint32_t)number(params, names[data_cache(level)], "directory_ways");
        if (!check_directory(g, params, level, err))
            return false;
    }
    for (unsigned level = 2; level <= g->levels; level++)
        if (g->shared[level] > 1 && !check_shared(g, params, level, err))
            return false;
    return true;
}

/* With an update protocol a line that is modified may be shared, and its owner is not known by its state. */
static bool check_protocol(const struct geometry *g, const struct params *params, struct err *err)
{
    const bool updates = params_is(params, "cache.protocol", "firefly") || *g->update_pages;
    for (enum memsys_cache cache = 0; updates && cache < MEMSYS_CACHES; cache++)
        if (g->cache[cache].exists && g->cache[cache].exclusive)
            return err_set(err, "cache.%s.exclusive is on: not possible with the update protocol (firefly)",
                           names[cache]);
    return true;
}

static bool not_longer(nsec inner_ns, const char *inner, nsec outer_ns, const char *outer, struct err *err)
{
    return inner_ns <= outer_ns || err_set(err, "memory.%s is %llu ns: at least memory.%s = %llu ns needed", outer,
                                           (unsigned long long)outer_ns, inner, (unsigned long long)inner_ns);
}

static nsec time_or(const struct params *params, const char *name, nsec otherwise)
{
    nsec ns = params_u64(params, name);
    return ns ? ns : otherwise;
}

static bool read_times(struct geometry *g, const struct params *params, struct err *err)
{
    g->hit_ns[2] = params_u64(params, "memory.l2_hit_time");
    g->hit_ns[3] = params_u64(params, "memory.l3_hit_time");
    g->miss_ns = params_u64(params, "memory.miss_time");
    g->upgrade_ns = time_or(params, "memory.upgrade_time", g->miss_ns);
    g->update_ns = time_or(params, "memory.update_time", g->upgrade_ns);
    g->intervention_ns = time_or(params, "memory.intervention_time", g->miss_ns);
    g->uncached_ns = time_or(params, "memory.uncached_latency", g->miss_ns);
    g->inner_upgrade_ns[2] = time_or(params, "memory.l2_upgrade_time", g->hit_ns[2]);
    g->inner_upgrade_ns[3] = time_or(params, "memory.l3_upgrade_time", g->hit_ns[3]);
    g->inner_intervention_ns[2] = time_or(params, "memory.l2_intervention_time", g->hit_ns[2]);
    g->inner_intervention_ns[3] = time_or(params, "memory.l3_intervention_time", g->hit_ns[3]);
    if (g->levels == 2)
        return not_longer(g->hit_ns[2], "l2_hit_time", g->miss_ns, "miss_time", err);
    return g->levels == 1 || (not_longer(g->hit_ns[2], "l2_hit_time", g->hit_ns[3], "l3_hit_time", err) &&
                              not_longer(g->hit_ns[3], "l3_hit_time", g->miss_ns, "miss_time", err));
}

static uint32_t count_of(const struct params *params, const char *name)
{
    return (uint32_t)params_u64(params, name);
}

/* A page that moves is copied line by line, at the least. */
static void read_moves(struct geometry *g, const struct params *params)
{
    const char *which = params_string(params, "memory.move_pages");
    const nsec copy_ns = PAGE_SIZE / g->cache[data_cache(g->levels)].line * g->remote_miss_ns;
    g->moves = (struct page_move_policy){
        .migrates = strcmp(which, "migrate") == 0 || strcmp(which, "both") == 0,
        .replicates = strcmp(which, "replicate") == 0 || strcmp(which, "both") == 0,
        .on_tlb_misses = params_is(params, "memory.move_on", "tlb_misses"),
        .threshold = count_of(params, "memory.move_threshold"),
        .sharing_threshold = count_of(params, "memory.move_sharing_threshold"),
        .write_threshold = count_of(params, "memory.move_write_threshold"),
        .migrate_threshold = count_of(params, "memory.move_migrate_threshold"),
        .sample = count_of(params, "memory.move_sample"),
        .interval_ns = params_u64(params, "memory.move_interval"),
        .time_ns = time_or(params, "memory.move_time", copy_ns),
    };
}

/* The NUMA nodes, whose CPUs may share caches. */
static bool read_nodes(struct geometry *g, const struct params *params, unsigned cpus, struct err *err)
{
    g->nodes = (unsigned)strtoul(params_string(params, "memory.nodes"), NULL, 10);
    g->node_cpus = power_from((power_from(cpus) + g->nodes - 1) / g->nodes);
    g->home_policy = params_is(params, "memory.home", "allocation")    ? HOME_ALLOCATION
                     : params_is(params, "memory.home", "address")     ? HOME_ADDRESS
                     : params_is(params, "memory.home", "round_robin") ? HOME_ROUND_ROBIN
                                                                       : HOME_FIRST_TOUCH;
    g->home_interleave = (paddr)params_u64(params, "memory.home_interleave");
    g->remote_miss_ns = time_or(params, "memory.remote_time", g->miss_ns);
    g->remote_upgrade_ns = time_or(params, "memory.remote_upgrade_time", g->upgrade_ns);
    g->remote_intervention_ns = time_or(params, "memory.remote_intervention_time", g->intervention_ns);
    read_moves(g, params);
    g->home_occupancy_ns = params_u64(params, "memory.home_occupancy");
    g->link_occupancy_ns = params_u64(params, "memory.link_occupancy");
    if (g->nodes > 1 && g->shared[g->levels] > g->node_cpus)
        return err_set(err,
                       "memory.nodes is %u: not possible with cache.l%u.shared = %u, more than the %u CPU%s of a node",
                       g->nodes, g->levels, g->shared[g->levels], g->node_cpus, g->node_cpus == 1 ? "" : "s");
    return g->nodes == 1 || !params_bool(params, "memory.contention") ||
           err_set(err, "memory.nodes is %u: not possible with memory.contention=on", g->nodes);
}

/* machine.perturb and machine.perturb_time. */
static bool read_perturb(struct geometry *g, const struct params *params, struct err *err)
{
    g->perturb_seed = (uint32_t)params_u64(params, "machine.perturb");
    if (g->perturb_seed == 0)
        return true;
    g->perturb_ns = params_u64(params, "machine.perturb_time");
    return g->levels > 0 ||
           err_set(err, "machine.perturb is %u: not possible with cache.model=none, where nothing waits",
                   g->perturb_seed);
}

bool geometry_from_params(struct geometry *geometry, const struct params *params, unsigned cpus, struct err *err)
{
    static const char *const models[] = {"none", "one-level", "two-level", "three-level"};
    struct geometry *g = geometry;
    memset(g, 0, sizeof *g);
    while (!params_is(params, "cache.model", models[g->levels]))
        g->levels++;
    if (!read_perturb(g, params, err))
        return false;
    if (g->levels == 0)
        return true;
    for (unsigned level = 1; level <= g->levels; level++) {
        char split[] = "cache.l1.split";
        split[7] = (char)('0' + level);
        if (params_bool(params, split) && !read_cache(g, params, insn_cache(level), err))
            return false;
        if (!read_cache(g, params, data_cache(level), err))
            return false;
    }
    g->update_pages = params_string(params, "cache.update_pages");
    g->upgrades_on_uniprocessor = params_bool(params, "cache.upgrades_on_uniprocessor");
    if (says(params, "l1d", "prepare_for_store", "allocate"))
        g->prepare = PREPARE_ALLOCATES;
    else if (says(params, "l1d", "prepare_for_store", "ignore"))
        g->prepare = PREPARE_IGNORED;
    g->random_seed = (uint32_t)params_u64(params, "cache.random_seed");
    g->check_interval = params_u64(params, "cache.check_interval");
    return check_levels(g, err) && check_validate(g, params, err) && check_prepare(g, err) && check_assist(g, err) &&
           check_protocol(g, params, err) && read_shared(g, params, cpus, err) && read_times(g, params, err) &&
           read_nodes(g, params, cpus, err);
}
