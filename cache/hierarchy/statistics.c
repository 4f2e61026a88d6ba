/* Names and descriptions of the memory system's counters. */
#include "cache/hierarchy/block.h"
#include "cache/hierarchy/numa.h"
#include "cache/placement/page_mapping.h"
#include "cache/classify/classify_memsys.h"
#include "cache/state/engine.h"
#include "cache/prefetch/prefetch.h"

#include <stddef.h>

/* Conditions for a counter to exist. */
enum condition {
    ALWAYS,
    INSNS = 1 << 0,      /* the cache handles fetches */
    DATA = 1 << 1,       /* the cache handles loads and stores */
    ONLY_INSNS = 1 << 2, /* the cache handles fetches only */
    LAST = 1 << 3,       /* last level */
    NOT_FIRST = 1 << 4,  /* not the first level */
    VIRTUAL = 1 << 5,    /* virtually indexed */
    SUPPLIES = 1 << 6,   /* a protocol of the machine has clean interventions or updates */
    ALLOCATES = 1 << 7,  /* lines may be allocated without a read */
    SPARSE = 1 << 8,     /* the shared cache outside has a sparse directory */
};

struct counter_row {
    const char *name;
    size_t offset;
    unsigned conditions; /* all must hold */
    const char *unit;
    const char *text;
};

#define CACHE(NAME, FIELD, CONDITIONS, UNIT, TEXT)                                                                     \
    {                                                                                                                  \
        NAME, offsetof(struct array_counts, FIELD), CONDITIONS, UNIT, TEXT                                             \
    }
#define MEMBER(NAME, FIELD, CONDITIONS, UNIT, TEXT)                                                                    \
    {                                                                                                                  \
        NAME, offsetof(struct member_counts, FIELD), CONDITIONS, UNIT, TEXT                                            \
    }

static const struct counter_row cache_rows[] = {
    CACHE("insn_misses", misses[MEMSYS_FETCH], INSNS, "misses", "fetches that missed this level"),
    CACHE("read_misses", misses[MEMSYS_READ], DATA, "misses", "loads that missed this level"),
    CACHE("write_misses", misses[MEMSYS_WRITE], DATA, "misses", "stores that missed this level"),
    CACHE("write_backs", write_backs, DATA, "lines",
          "modified lines written to the next level by eviction, CACHE instructions or back-invalidation"),
    CACHE("invalidations", invalidations, ALWAYS, "lines",
          "lines invalidated by another CPU's store; in inner levels also back-invalidations"),
    CACHE("dma_invalidations", dma_invalidations, LAST, "lines", "lines invalidated by a device's write"),
    CACHE("allocations", allocations, ALLOCATES, "lines", "lines allocated by a store or pref 30 without reading them"),
    CACHE("aliases", aliases, VIRTUAL, "lines", "lines evicted because another virtual address accessed them"),
};

#define ASSIST(NAME, FIELD, UNIT, TEXT)                                                                                \
    {                                                                                                                  \
        NAME, offsetof(struct assist, FIELD), ALWAYS, UNIT, TEXT                                                       \
    }

/* Of a cache with an assist cache. */
static const struct counter_row assist_rows[] = {
    ASSIST("assist_hits", hits, "accesses", "loads and stores that hit the assist cache"),
    ASSIST("assist_moved", moved, "lines", "lines that moved from the assist cache into their sets"),
    ASSIST("assist_dropped", dropped, "lines", "streamed lines that went from the assist cache to the next level"),
};

/* Registered with the data or unified cache that is the outermost of a tier's members. */
static const struct counter_row member_rows[] = {
    MEMBER("upgrades", upgrades, ALWAYS, "requests", "stores that needed an upgrade of a shared line"),
    MEMBER("coherence_write_backs", coherence_write_backs, ALWAYS, "lines",
           "dirty lines written to memory because another CPU read them or a device accessed them"),
    MEMBER("interventions", interventions, ALWAYS, "lines", "dirty lines supplied to another CPU"),
    MEMBER("clean_supplies", clean_interventions, SUPPLIES, "lines",
           "clean lines supplied to another CPU (clean interventions)"),
    MEMBER("directory_evictions", directory_evictions, SPARSE, "entries",
           "entries of the shared cache's directory that gave way to lines of this CPU's group"),
    MEMBER("updates", updates, SUPPLIES, "requests", "stores to shared lines that went to memory and to other caches"),
    MEMBER("updates_received", updates_received, SUPPLIES, "requests", "updates received from other CPUs"),
};
/* How many of them a CPU has that is not the first of its member; a member of an inner tier; and one whose home is not
 * inclusive, so that members supply clean lines. */
enum { EVERY_CPU_ROWS = 1, INNER_ROWS = 3, SUPPLYING_ROWS = 5 };

static void add(struct stats *stats, unsigned cpu, const char *cache, const struct counter_row *row, const void *counts)
{
    char name[64];
    snprintf(name, sizeof name, "cpu%u.%s.%s", cpu, cache, row->name);
    stats_counter(stats, name, row->unit, row->text, (const uint64_t *)((const char *)counts + row->offset));
}

static bool allocates(const struct memsys *memsys, const struct array *cache)
{
    return cache->validate || cache->allocates_words || memsys->prepare == PREPARE_ALLOCATES;
}

static unsigned conditions_of(const struct memsys *memsys, const struct node *node, const struct array *cache)
{
    bool insn_only = cache->id == insn_cache(cache->level);
    bool data_only = !insn_only && node->cache[insn_cache(cache->level)]->word;
    /* the protocol of a page can be changed at any time */
    bool simple = memsys->cpus == 1 && memsys->protocol == MEMSYS_INVALIDATE && !memsys->page_protocol;
    return (data_only ? 0u : INSNS) | (insn_only ? ONLY_INSNS : DATA) | (cache->next ? 0u : LAST) |
           (cache->level > 1 ? NOT_FIRST : 0u) | (!insn_only && allocates(memsys, cache) ? ALLOCATES : 0u) |
           (cache->by_virtual ? VIRTUAL : 0u) | (simple ? 0u : SUPPLIES) | (cache->tier->sparse.ways ? SPARSE : 0u);
}

static void add_cache(const struct memsys *memsys, struct stats *stats, unsigned cpu, const struct array *cache)
{
    static const struct counter_row first_insn =
        CACHE("misses", misses[MEMSYS_FETCH], ONLY_INSNS, "misses", "fetches that missed the first level");
    const struct node *node = &memsys->node[cpu];
    unsigned conditions = conditions_of(memsys, node, cache);
    const char *name = cache_name(cache->id);
    for (size_t i = 0; i < sizeof cache_rows / sizeof cache_rows[0]; i++) {
        const struct counter_row *row = &cache_rows[i];
        if ((row->conditions & conditions) != row->conditions)
            continue;
        bool first = row->conditions == INSNS && conditions & ONLY_INSNS && cache->level == 1;
        add(stats, cpu, name, first ? &first_insn : row, &node->events[cache->id]);
    }
    for (size_t i = 0; cache->assist && i < sizeof assist_rows / sizeof assist_rows[0]; i++)
        add(stats, cpu, name, &assist_rows[i], cache->assist);
    const struct tier *tier = cache->tier;
    const size_t rows = cache->id != data_cache(tier->level)          ? 0
                        : !memsys_is_first_of(memsys, cpu, cache->id) ? EVERY_CPU_ROWS
                        : tier->outer ? cache->next->inclusive ? INNER_ROWS : SUPPLYING_ROWS
                                      : sizeof member_rows / sizeof member_rows[0];
    for (size_t i = 0; i < rows; i++)
        if ((member_rows[i].conditions & conditions) == member_rows[i].conditions)
            add(stats, cpu, name, &member_rows[i], &node->member[tier->number]);
}

void memsys_register_stats(struct memsys *memsys, struct stats *stats)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        char name[32];
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys->node[cpu].cache[id]->word)
                add_cache(memsys, stats, cpu, memsys->node[cpu].cache[id]);
        snprintf(name, sizeof name, "cpu%u.uncached", cpu);
        stats_counter(stats, name, "accesses", "uncached and device accesses", &memsys->node[cpu].uncached);
    }
    classify_memsys_register_stats(memsys->classify, stats);
    stats_counter(stats, "memory.fills", "lines", "lines that memory supplied to caches", &memsys->fills);
    stats_counter(stats, "memory.write_backs", "lines", "lines that caches wrote to memory", &memsys->write_backs);
    stats_counter(stats, "memory.writes", "stores", "stores written to memory that no cache kept", &memsys->writes);
    stats_counter(stats, "memory.updates", "stores", "stores that updated other caches and memory", &memsys->updates);
    stats_counter(stats, "memory.dma_reads", "requests", "coherent reads by devices", &memsys->dma_reads);
    stats_counter(stats, "memory.dma_writes", "requests", "coherent writes by devices", &memsys->dma_writes);
    if (memsys->timing)
        timing_register_stats(memsys->timing, stats);
    if (memsys->numa)
        numa_register_stats(memsys->numa, stats);
    if (memsys->prefetch)
        prefetch_register_stats(memsys, stats);
    if (memsys->block)
        block_register_stats(memsys, stats);
    if (memsys->page_mapping)
        page_mapping_register_stats(memsys->page_mapping, stats);
}
