/* Members of the NUMA nodes, for numa.c and page_moves.c. Private to cache/hierarchy. */
#ifndef SIMOS_CACHE_HIERARCHY_NUMA_STATE_H
#define SIMOS_CACHE_HIERARCHY_NUMA_STATE_H

#include "cache/hierarchy/numa.h"
#include "cache/hierarchy/numa_queues.h"

enum { NUMA_PAGES = 1 << (32 - PAGE_SHIFT), NODES_MAX = 16 };

/* What answers a request: the cache of a CPU in a node, memory, or only caches that lose the line. */
enum { BY_MEMORY = NODES_MAX, BY_UPGRADE, ANSWERS };

struct numa {
    unsigned nodes, cpus; /* all CPUs */
    unsigned node_cpus;   /* of a node, a power of two */
    enum home_policy policy;
    paddr interleave; /* bytes, a power of two, at least a page */
    cycles remote_miss_time, remote_intervention_time, remote_upgrade_time;
    uint8_t *home;                                    /* by page: the node + 1; 0: none yet */
    uint32_t next_home;                               /* round robin: the node of the next page, modulo their number */
    uint64_t pages[NODES_MAX];                        /* by home */
    uint64_t answered[NODES_MAX][NODES_MAX][ANSWERS]; /* requests by node of the requester, home, and what answered */
    uint64_t local[BOARD_MAX_CPUS], remote[BOARD_MAX_CPUS];
    cycles now;                 /* of the present access: numa_set_time() */
    struct page_moves *moves;   /* NULL: pages stay where they are */
    struct numa_queues *queues; /* NULL: nobody waits */
};

static inline unsigned node_of(const struct numa *numa, unsigned cpu)
{
    return cpu / numa->node_cpus;
}

/* The home of ADDRESS, which CPU requests: as the policy says if it has none yet. */
unsigned numa_home_of(struct numa *numa, unsigned cpu, paddr address);

/* NODE becomes the home of PAGE (a number). */
void numa_set_home(struct numa *numa, unsigned node, uint32_t page);

#endif
