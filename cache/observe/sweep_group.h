/* Caches of a sweep that share one LRU stack: the same cache of several points, differing only in size and ways.
 * Private to cache/observe/sweep*.c. */
#ifndef SIMOS_CACHE_OBSERVE_SWEEP_GROUP_H
#define SIMOS_CACHE_OBSERVE_SWEEP_GROUP_H

#include "cache/observe/sweep_method.h"
#include "cache/observe/sweep_stack.h"

struct sweep_group {
    enum memsys_cache cache;
    struct sweep_stack_shape shape;
    uint32_t block_size; /* granularity of DMA in bytes: the last-level line size */
    struct sweep_stack *stack;
};

uint32_t sweep_group_sets(const struct sweep_cache *cache);
/* Adds CACHE to GROUP, which has at least one cache already. Call before its stack is created. */
void sweep_group_extend(struct sweep_group *group, const struct sweep_cache *cache);

/* Processes REFERENCE, an access. DIRTIES: stores modify lines. PERMISSION: as for sweep_refer(). */
void sweep_group_access(struct sweep_group *group, const struct reference *reference, bool dirties,
                        uint8_t *permission);
/* Processes a reference that is not an access: write-backs, DMA, CACHE instructions on this cache, flushes. */
void sweep_group_other(struct sweep_group *group, const struct reference *reference);

/* The counts of CACHE. */
const struct sweep_counts *sweep_group_counts(const struct sweep_group *group, const struct sweep_cache *cache);

#endif
