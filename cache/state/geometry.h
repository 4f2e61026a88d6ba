/* The cache.* and memory.* parameters as checked values. Private to cache/. */
#ifndef SIMOS_CACHE_STATE_GEOMETRY_H
#define SIMOS_CACHE_STATE_GEOMETRY_H

#include "cache/memsys.h"
#include "cache/state/replacement.h"

enum { LEVELS_MAX = 3 };

struct cache_geometry {
    bool exists;
    uint32_t size, line, ways; /* bytes, bytes, number */
    uint32_t sector_lines;     /* lines that share a tag; 1: not sectored */
    const struct replacement *replacement;
    bool by_virtual, hashed;
    bool by_space; /* hash=space */
    bool through, allocate;
    bool validate;       /* write_allocate=validate, of a write-back cache */
    bool allocate_words; /* the same of a write-through cache, whose lines are words */
    uint32_t assist;     /* lines of the assist cache */
    bool inclusive, exclusive;
};

/* What a PREF with hint 30 does. */
enum prepare_for_store { PREPARE_PREFETCHES, PREPARE_ALLOCATES, PREPARE_IGNORED };

/* What gives a page its home: the node whose CPU first requests it, also after each time the guest's kernel freed it;
 * its address; or the nodes in turn. */
enum home_policy { HOME_FIRST_TOUCH, HOME_ALLOCATION, HOME_ADDRESS, HOME_ROUND_ROBIN };

/* Whether and when pages move between nodes (memory.move_pages). */
struct page_move_policy {
    bool migrates, replicates, on_tlb_misses;
    /* Misses of a node's CPUs within an interval that make a page hot for it; of another node, that make it shared;
     * requests to store that keep it from being copied; migrations that keep it from migrating again */
    uint32_t threshold, sharing_threshold, write_threshold, migrate_threshold;
    uint32_t sample; /* of a CPU's misses every one of so many counts */
    nsec interval_ns, time_ns;
};

struct geometry {
    unsigned levels; /* 0: no caches */
    bool upgrades_on_uniprocessor;
    enum prepare_for_store prepare;
    struct cache_geometry cache[MEMSYS_CACHES];
    unsigned shared[LEVELS_MAX + 1];       /* by level: how many CPUs share a cache */
    const char *partition[LEVELS_MAX + 1]; /* by level: text of cache.X.partition, owned by the parameters */
    /* by level: of the directory of a shared cache that is not inclusive; 0 entries: one for every block */
    uint32_t directory_entries[LEVELS_MAX + 1], directory_ways[LEVELS_MAX + 1];
    nsec hit_ns[LEVELS_MAX + 1]; /* hit times of levels 2 and 3 */
    /* of a shared level: stalls of a store whose line other caches inside have, and of an access to a line that one of
     * them has modified */
    nsec inner_upgrade_ns[LEVELS_MAX + 1], inner_intervention_ns[LEVELS_MAX + 1];
    /* with "as memory.miss_time" replaced by the value */
    nsec miss_ns, upgrade_ns, update_ns, intervention_ns, uncached_ns;
    unsigned nodes, node_cpus; /* NUMA nodes, and how many CPUs one has, a power of two */
    enum home_policy home_policy;
    paddr home_interleave; /* by address: bytes of one home, in turn */
    struct page_move_policy moves;
    nsec home_occupancy_ns, link_occupancy_ns;                      /* of a request and a message; 0: no queues */
    nsec remote_miss_ns, remote_upgrade_ns, remote_intervention_ns; /* with "0: as ..." replaced by the value */
    uint32_t random_seed, perturb_seed;
    nsec perturb_ns; /* longest delay of a response; 0: none */
    uint64_t check_interval;
    const char *update_pages; /* owned by the parameters */
};

/* Reads the parameters of a machine with CPUS processors and checks the combination. Returns false with ERR naming the
 * parameter that is invalid. */
bool geometry_from_params(struct geometry *geometry, const struct params *params, unsigned cpus, struct err *err);

/* Name of a cache in parameters and statistics: "l1i" and so on. */
const char *cache_name(enum memsys_cache cache);
/* The level (1 to 3) of a cache; the data or unified cache of LEVEL; its instruction cache. */
static inline unsigned level_of(enum memsys_cache cache)
{
    return cache / 2 + 1;
}
static inline enum memsys_cache data_cache(unsigned level)
{
    return (enum memsys_cache)(2 * (level - 1) + 1);
}
static inline enum memsys_cache insn_cache(unsigned level)
{
    return (enum memsys_cache)(2 * (level - 1));
}

#endif
