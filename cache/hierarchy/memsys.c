#include "cache/memsys.h"

#include "cache/hierarchy/access.h"
#include "cache/hierarchy/block.h"
#include "cache/classify/classify_memsys.h"
#include "cache/prefetch/prefetch.h"
#include "cache/hierarchy/protocol.h"
#include "cache/hierarchy/numa.h"
#include "cache/hierarchy/partition.h"
#include "cache/hierarchy/protocol_pages.h"
#include "cache/placement/layout_map.h"
#include "cache/placement/page_mapping.h"
#include "src/base/board.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static uint32_t seed_of(unsigned cpu, enum memsys_cache cache, uint32_t random_seed)
{
    return UINT32_C(0x9e3779b9) ^ (cpu * 8 + cache + 1) * UINT32_C(0x85ebca6b) ^ random_seed * UINT32_C(0xc2b2ae35);
}

/* Connects INNER to the cache that handles its misses. */
static void connect(struct array *inner, struct array *outer, bool insn)
{
    inner->next = outer;
    inner->insn_inside = insn;
    if (insn && !outer->insn)
        outer->insn = inner;
    else if (!insn && !outer->data)
        outer->data = inner;
    if (outer->part_shift < inner->line_shift)
        outer->part_shift = inner->line_shift;
}

/* Builds the caches of which CPU is the first one. */
static void build_caches(struct node *node, const struct geometry *g, unsigned cpu, uint64_t clock_hz)
{
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct array *cache = &node->own[id];
        if (!g->cache[id].exists || cpu % g->shared[level_of(id)] != 0)
            continue;
        array_init(cache, &g->cache[id], seed_of(cpu, id, g->random_seed), level_of(id) == 1, g->cache[id].inclusive);
        cache->id = (uint8_t)id;
        cache->level = (uint8_t)level_of(id);
        cache->hit_time = cycles_of_nsec(g->hit_ns[level_of(id)], clock_hz);
        cache->part_shift = cache->line_shift > 4 ? cache->line_shift - 4 : 0; /* 16 parts */
    }
}

/* Connects the caches that CPU has, of which others may be the first. */
static void build_node(struct memsys *memsys, const struct geometry *g, unsigned cpu)
{
    struct node *node = &memsys->node[cpu];
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
        if (g->cache[id].exists)
            node->cache[id] = &memsys->node[cpu - cpu % g->shared[level_of(id)]].own[id];
    for (unsigned level = 1; level <= g->levels; level++) {
        struct array *data = node->cache[data_cache(level)], *insn = node->cache[insn_cache(level)];
        bool split = g->cache[insn_cache(level)].exists;
        if (level == 1) {
            node->first[0] = split ? insn : data;
            node->first[1] = data;
        }
        if (level == g->levels) {
            node->last[0] = data;
            node->last[1] = split ? insn : NULL;
            return;
        }
        struct array *outer = node->cache[data_cache(level + 1)], *outer_insn = node->cache[insn_cache(level + 1)];
        connect(data, outer, false);
        if (split)
            connect(insn, g->cache[insn_cache(level + 1)].exists ? outer_insn : outer, true);
    }
}

/* Whether LEVEL, the outermost of a member, is one cache and inclusive of all others. */
static bool level_includes_all(const struct geometry *g, unsigned level)
{
    return !g->cache[insn_cache(level)].exists && (level == 1 || g->cache[data_cache(level)].inclusive);
}

/* Adds the tier, inside the last one, whose members' outermost caches are those of LEVEL. */
static struct tier *add_tier(struct memsys *memsys, const struct geometry *g, unsigned level, uint64_t clock_hz)
{
    struct tier *tier = &memsys->tier[memsys->tiers];
    const bool last = level == g->levels;
    const unsigned member_cpus = g->shared[level], home_cpus = last ? memsys->cpus : g->shared[level + 1];
    const uint32_t block = g->cache[data_cache(last ? level : level + 1)].line;
    *tier = (struct tier){
        .outer = memsys->innermost,
        .number = (uint8_t)memsys->tiers++,
        .level = (uint8_t)level,
        .first_cpus = ~(member_cpus - 1),
        .home_first_cpus = last ? 0 : ~(home_cpus - 1),
        .home_cpus = home_cpus,
        .home = UINT64_MAX >> (64 - home_cpus),
        .inclusive = level_includes_all(g, level) && block == g->cache[data_cache(level)].line,
        .upgrades = home_cpus > member_cpus || g->upgrades_on_uniprocessor,
        .upgrade_time = cycles_of_nsec(last ? g->upgrade_ns : g->inner_upgrade_ns[level + 1], clock_hz),
        .update_time = cycles_of_nsec(g->update_ns, clock_hz),
        .intervention_time = cycles_of_nsec(last ? g->intervention_ns : g->inner_intervention_ns[level + 1], clock_hz),
    };
    directory_init(&tier->directory, block);
    if (!last)
        sparse_init(&tier->sparse, (memsys->cpus + home_cpus - 1) / home_cpus, g->directory_entries[level + 1],
                    g->directory_ways[level + 1], block);
    if (memsys->innermost)
        memsys->innermost->inner = tier;
    memsys->innermost = tier;
    return tier;
}

/* Memory's tier, and one for each level that more CPUs share than the level inside it. */
static void build_tiers(struct memsys *memsys, const struct geometry *g, uint64_t clock_hz)
{
    for (unsigned level = g->levels; level > 0; level--) {
        const bool is_home = level < g->levels && g->shared[level] < g->shared[level + 1];
        struct tier *tier = is_home || level == g->levels ? add_tier(memsys, g, level, clock_hz) : memsys->innermost;
        for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
            for (enum memsys_cache id = insn_cache(level); id <= data_cache(level); id++)
                memsys->node[cpu].own[id].tier = tier;
        for (unsigned cpu = 0; is_home && cpu < memsys->cpus; cpu++)
            memsys->node[cpu].own[data_cache(level + 1)].home_of = tier;
    }
}

/* Whether a cache may have lines that are partly valid. */
static bool validates(const struct geometry *g)
{
    return g->cache[MEMSYS_L1D].validate || g->cache[MEMSYS_L2].validate || g->cache[MEMSYS_L3].validate;
}

/* Creates the contention model. */
static bool create_timing(struct memsys *memsys, const struct geometry *g, const struct params *params,
                          uint64_t clock_hz, struct err *err)
{
    struct timing_environment environment = {.cpus = memsys->cpus,
                                             .clock_hz = clock_hz,
                                             .levels = memsys->levels,
                                             .block_size = g->cache[data_cache(g->levels)].line,
                                             .miss_time = memsys->miss_time,
                                             .intervention_time = memsys->tier[0].intervention_time,
                                             .upgrade_time = memsys->tier[0].upgrade_time,
                                             .update_time = memsys->tier[0].update_time,
                                             .uncached_latency = memsys->uncached_latency};
    for (unsigned level = 1; level <= g->levels; level++) {
        environment.level[level - 1].line = g->cache[data_cache(level)].line;
        environment.level[level - 1].split = g->cache[insn_cache(level)].exists;
        environment.level[level - 1].shared = g->shared[level];
        environment.level[level - 1].upgrade_time = cycles_of_nsec(g->inner_upgrade_ns[level], clock_hz);
        environment.level[level - 1].hit_time = memsys->node[0].cache[data_cache(level)]->hit_time;
    }
    return timing_create(&memsys->timing, params, &environment, err);
}

/* The caches whose ways have several pages, the bins. All numbers are powers of two: the bin in the cache that has most
 * of them determines that in every other. */
static void count_bins(const struct geometry *g, struct page_mapping_options *options)
{
    unsigned caches = 0;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        const uint32_t bins = g->cache[id].exists ? g->cache[id].size / g->cache[id].ways / PAGE_SIZE : 0;
        if (bins < 2)
            continue;
        const bool has_data = id % 2 == 1, has_code = !has_data || !g->cache[id - 1].exists;
        options->cache[caches++] = (struct page_mapping_cache){bins, has_code, has_data};
        options->bins = bins > options->bins ? bins : options->bins;
    }
}
_Static_assert(MEMSYS_L1D == MEMSYS_L1I + 1 && MEMSYS_L2 == MEMSYS_L2I + 1 && MEMSYS_L3 == MEMSYS_L3I + 1 &&
                   MEMSYS_L1I % 2 == 0 && MEMSYS_L2I % 2 == 0 && MEMSYS_L3I % 2 == 0,
               "the cache of code, if there is one, comes before that of data or of both");
_Static_assert((int)MEMSYS_CACHES == (int)PAGE_MAPPING_CACHES && (int)BOARD_MAX_CPUS == (int)PAGE_MAPPING_CPUS, "room");

/* The end of an access, of which all are to be seen. */
static void count_access(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    (void)stall;
    page_mapping_accessed(opaque, cpu, request->address, request->access == MEMSYS_FETCH ? PAGE_CODE : PAGE_DATA);
    *request->permission = PERMIT_NONE;
}

static void count_accesses(struct memsys *memsys)
{
    static const struct memsys_event_ops ops = {.access = count_access};
    if (memsys->page_mapping && page_mapping_profile(memsys->page_mapping))
        memsys_attach(memsys, &ops, memsys->page_mapping);
}

static bool check_page_mapping(const struct page_mapping_options *options, struct err *err)
{
    if (page_mapping_policy_takes_hints(options->policy) && options->hints == NULL)
        return err_set(err, "page_mapping.policy: shading and numbering need page_mapping.hints");
    if (options->bins < 2)
        return err_set(err, "page_mapping.policy: no cache has a way of more than a page");
    return options->reserved < options->bins ||
           err_set(err, "page_mapping.reserved: of %u bins at most %u", options->bins, options->bins - 1);
}

static bool create_page_mapping(struct memsys *memsys, const struct geometry *g, const struct params *params,
                                struct err *err)
{
    struct page_mapping_options options = {
        .policy = page_mapping_policy_named(params_string(params, "page_mapping.policy")),
        .reserved = (uint32_t)params_u64(params, "page_mapping.reserved"),
        .seed = params_u64(params, "page_mapping.seed"),
        .profiles = params_bool(params, "page_mapping.profile"),
    };
    if (!page_hints_read(&options.hints, params_string(params, "page_mapping.hints"), err))
        return false;
    if (!page_mapping_policy_takes_hints(options.policy)) {
        page_hints_free(options.hints);
        options.hints = NULL;
    }
    if (options.policy == PAGE_MAPPING_ARBITRARY && !options.profiles)
        return true;
    count_bins(g, &options);
    if (!check_page_mapping(&options, err)) {
        page_hints_free(options.hints);
        return false;
    }
    layout_map_add_pages(&memsys->layout);
    memsys->page_mapping = page_mapping_create(memsys->layout, &options);
    return true;
}

/* The parameter by which the caches see the kernel elsewhere; NULL: they do not. Only machines have a guest. */
static const char *placement_param(const struct params *params)
{
    static const char seed[] = "guest.placement_seed", of[] = "guest.placement_of";
    if (params_find(params, seed) && params_u64(params, seed) != 0)
        return seed;
    return params_find(params, of) && *params_string(params, of) ? of : NULL;
}

/* Virtual addresses, which select the sets, are not in the map. Sweeps and tests have no memory. */
static bool create_layout(struct memsys *memsys, const struct geometry *g, const struct params *params, struct err *err)
{
    const char *placement = placement_param(params);
    const uint64_t memory =
        params_find(params, "machine.memory") ? params_u64(params, "machine.memory") : BOARD_MAX_RAM;
    if (!layout_map_create(&memsys->layout, params_string(params, "cache.layout"), memory, err))
        return false;
    if (placement != NULL && memsys->layout != NULL)
        return err_set(err, "%s: cache.layout says where the kernel is seen; only one of them", placement);
    memsys->places_kernel = placement != NULL;
    if (memsys->places_kernel)
        layout_map_add_pieces(&memsys->layout, params_bool(params, "guest.placement_data"));
    if (!create_page_mapping(memsys, g, params, err))
        return false;
    for (unsigned i = 0; memsys->layout != NULL && i < 2; i++)
        if (memsys->node[0].first[i]->by_virtual)
            return err_set(err, "%s: the first-level caches must have a physical index (cache.%s.index)",
                           memsys->page_mapping != NULL ? "page_mapping.policy"
                           : placement != NULL          ? placement
                                                        : "cache.layout",
                           i == 0 && memsys->node[0].first[0] != memsys->node[0].first[1] ? "l1i" : "l1d");
    return true;
}

struct memsys *memsys_create(const struct params *params, unsigned cpus, uint64_t clock_hz, struct err *err)
{
    if (cpus < 1 || cpus > BOARD_MAX_CPUS)
        log_bug("memory system for %u CPUs", cpus);
    struct geometry g;
    if (!geometry_from_params(&g, params, cpus, err))
        return NULL;
    if (params_bool(params, "cache.evictors") && params_is(params, "cache.classify", "off")) {
        err_set(err, "cache.evictors: needs cache.classify, which says which misses are of replaced lines");
        return NULL;
    }
    struct memsys *memsys = checked_memory(calloc(1, sizeof *memsys));
    memsys->cpus = cpus;
    memsys->levels = g.levels;
    memsys->current = NO_ADDRESS;
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            memsys->node[cpu].cache[id] = &memsys->node[cpu].own[id];
    if (g.levels == 0) {
        access_choose(memsys);
        return memsys;
    }
    memsys->protocol = protocol_find(params_string(params, "cache.protocol"));
    memsys->validates = validates(&g);
    memsys->prepare = g.prepare;
    memcpy(memsys->shared, g.shared, sizeof memsys->shared);
    memsys->miss_time = cycles_of_nsec(g.miss_ns, clock_hz);
    memsys->uncached_latency = cycles_of_nsec(g.uncached_ns, clock_hz);
    memsys->perturb_seed = g.perturb_seed;
    memsys->perturb = perturb_begin(g.perturb_seed, cycles_of_nsec(g.perturb_ns, clock_hz));
    memsys->check_interval = memsys->until_check = g.check_interval;
    memsys->bring = access_fill_for_prefetch;
    memsys->numa = numa_create(&g, cpus, clock_hz);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        build_caches(&memsys->node[cpu], &g, cpu, clock_hz);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        build_node(memsys, &g, cpu);
    build_tiers(memsys, &g, clock_hz);
    if (!partition_caches(memsys, &g, err)) {
        memsys_free(memsys);
        return NULL;
    }
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        for (unsigned i = 0; i < 2; i++)
            memsys->first[i][cpu] = memsys->node[cpu].first[i];
    if (!create_layout(memsys, &g, params, err) || !protocol_pages_from_text(memsys, g.update_pages, err) ||
        !create_timing(memsys, &g, params, clock_hz, err) || !prefetch_create(memsys, params, clock_hz, err)) {
        memsys_free(memsys);
        return NULL;
    }
    memsys->queues_stores = memsys->timing && timing_store_queue(memsys->timing, 0);
    block_create(memsys, params, clock_hz);
    access_choose(memsys);
    memsys->classify = classify_memsys_create(memsys, params);
    count_accesses(memsys);
    return memsys;
}

void memsys_free(struct memsys *memsys)
{
    if (!memsys)
        return;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            array_release(&memsys->node[cpu].own[id]);
    prefetch_free(memsys);
    block_free(memsys);
    numa_free(memsys->numa);
    timing_free(memsys->timing);
    classify_memsys_free(memsys->classify);
    for (unsigned tier = 0; tier < memsys->tiers; tier++) {
        directory_release(&memsys->tier[tier].directory);
        sparse_release(&memsys->tier[tier].sparse);
    }
    page_mapping_free(memsys->page_mapping);
    layout_map_free(memsys->layout);
    free(memsys->page_protocol);
    free(memsys);
}

bool memsys_is_flat(const struct memsys *memsys)
{
    return memsys->levels == 0;
}

const struct layout_map *memsys_layout(const struct memsys *memsys)
{
    return memsys->layout;
}

bool memsys_places_kernel(const struct memsys *memsys)
{
    return memsys->places_kernel;
}

void memsys_place_kernel(struct memsys *memsys, const struct layout_piece *pieces, size_t count)
{
    layout_map_move(memsys->layout, pieces, count);
}

struct page_mapping *memsys_page_mapping(const struct memsys *memsys)
{
    return memsys->page_mapping;
}

cycles memsys_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    return memsys->entry[request->access](memsys, cpu, request);
}

cycles memsys_uncached(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    if (memsys_is_flat(memsys))
        return 0;
    memsys->node[cpu].uncached++;
    cycles wait = 0;
    if (memsys->timing)
        wait = timing_uncached(memsys->timing, cpu, request->access, request->address, request->size, request->now);
    return charge(request->bucket, STALL_UNCACHED, memsys->uncached_latency + wait);
}

void memsys_flush(struct memsys *memsys)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id))
                array_clear(memsys->node[cpu].cache[id]);
    for (unsigned tier = 0; tier < memsys->tiers; tier++) {
        directory_clear(&memsys->tier[tier].directory);
        sparse_clear(&memsys->tier[tier].sparse);
    }
    if (memsys->timing)
        timing_flush(memsys->timing);
    if (memsys->prefetch)
        prefetch_flush(memsys);
    if (memsys->block)
        block_flush(memsys);
    TELL(memsys, flush);
}

void memsys_prefetch(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    if (memsys_prefetches(memsys) && !(memsys->block && block_covers(memsys, cpu, request->address)))
        prefetch_data(memsys, cpu, request);
}
