/*
 * Queues of NUMA nodes (memory.home_occupancy, memory.link_occupancy): the memory and directory of each node, and its
 * links into and out of the network, which takes messages of all nodes at a time. Private to cache/hierarchy.
 */
#ifndef SIMOS_CACHE_HIERARCHY_NUMA_QUEUES_H
#define SIMOS_CACHE_HIERARCHY_NUMA_QUEUES_H

#include "cache/state/geometry.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

struct numa_queues;

/* What GEOMETRY says; NULL: nobody waits. */
struct numa_queues *numa_queues_create(const struct geometry *g, uint64_t clock_hz);
void numa_queues_free(struct numa_queues *queues);
void numa_queues_register_stats(struct numa_queues *queues, struct stats *stats);
void numa_queues_register_saved(struct numa_queues *queues, struct saved *saved);
void numa_queues_describe(const struct numa_queues *queues, FILE *out);

/* A request that a CPU in node HERE makes at time NOW, in cycles, goes to HOME, from there to SUPPLIER, if that is
 * another node, and to the nodes of the set SHARING, whose caches lose the line. The answer comes from the supplier,
 * TAKEN cycles after the request if nobody waits. Returns how much longer it takes. */
cycles numa_queues_wait(struct numa_queues *queues, cycles now, unsigned here, unsigned home, unsigned supplier,
                        uint64_t sharing, cycles taken);

#endif
