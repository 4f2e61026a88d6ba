/*
 * Memory in NUMA nodes (memory.nodes): each has some of the CPUs and is the home of some of the pages, with their part
 * of the directory. What a request takes that memory or another CPU's cache answers depends on the nodes of the
 * requester, the home and the supplier (Laudon and Lenoski, "The SGI Origin", ISCA 1997, section 3). Private to
 * cache/hierarchy.
 */
#ifndef SIMOS_CACHE_HIERARCHY_NUMA_H
#define SIMOS_CACHE_HIERARCHY_NUMA_H

#include "cache/state/engine.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

/* The nodes of a machine with CPUS processors; NULL if there is one. */
struct numa *numa_create(const struct geometry *g, unsigned cpus, uint64_t clock_hz);
void numa_free(struct numa *numa);
void numa_register_stats(struct numa *numa, struct stats *stats);
void numa_register_saved(struct numa *numa, struct saved *saved);
/* Writes what the nodes are and take, as part of a line. */
void numa_describe(const struct numa *numa, FILE *out);

/* Count a request of CPU for ADDRESS, which has a home from then on, and return what it takes, in cycles: memory
 * supplies the line; a cache in OWNER's node does; others, a set of CPUs as in a directory entry, lose the line. */
cycles numa_memory_time(struct memsys *memsys, unsigned cpu, paddr address);
cycles numa_supply_time(struct memsys *memsys, unsigned cpu, unsigned owner, paddr address);
cycles numa_upgrade_time(struct memsys *memsys, unsigned cpu, uint64_t others, paddr address);

/* memsys->entry[] of a memory system whose nodes need the time of an access (numa_needs_time): because pages move or
 * requests wait. The requests of a prefetch are made at the time that is set. */
cycles numa_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
bool numa_needs_time(const struct memsys *memsys);
void numa_set_time(struct numa *numa, cycles now);

/* Has the node of CPU, which is not the home, a copy of the page of ADDRESS (page_moves.h)? */
bool numa_has_copy(const struct memsys *memsys, unsigned cpu, paddr address);
/* Do caches that have the line of ADDRESS, clean, supply it to CPU where the protocol has it so? Not if its own node
 * has a copy, of which they have no lines. */
static inline bool numa_may_supply(const struct memsys *memsys, unsigned cpu, paddr address)
{
    return SIM_LIKELY(!memsys->numa) || !numa_has_copy(memsys, cpu, address);
}

/* The same of every memory system. */
static inline cycles memory_time(struct memsys *memsys, unsigned cpu, paddr address)
{
    return SIM_LIKELY(!memsys->numa) ? memsys->miss_time : numa_memory_time(memsys, cpu, address);
}

static inline cycles supply_time(struct memsys *memsys, unsigned cpu, unsigned owner, paddr address)
{
    return SIM_LIKELY(!memsys->numa) ? memsys->tier[0].intervention_time
                                     : numa_supply_time(memsys, cpu, owner, address);
}

/* Of an upgrade in TIER, of which memory is the home, or a shared cache, which has no nodes. */
static inline cycles upgrade_time(struct memsys *memsys, const struct tier *tier, unsigned cpu, uint64_t others,
                                  paddr address)
{
    return SIM_LIKELY(!memsys->numa || tier->outer) ? tier->upgrade_time
                                                    : numa_upgrade_time(memsys, cpu, others, address);
}

#endif
