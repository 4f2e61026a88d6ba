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

/* The groups of a sweep; the caches of a group have numbers of sets whose ratios are powers of two. */
struct sweep_groups {
    unsigned count;
    struct sweep_group *group;
};

/* No groups, and room for those of CACHES caches. Out of memory aborts. */
struct sweep_groups sweep_groups_begin(unsigned caches);
/* Adds CACHE, which is ID, to the group that it fits in, or to a new one. Returns the index of the group. */
unsigned sweep_groups_join(struct sweep_groups *groups, enum memsys_cache id, const struct sweep_cache *cache,
                           uint32_t block_size);
/* Creates the stacks, when all caches have joined. */
void sweep_groups_create_stacks(struct sweep_groups *groups);
void sweep_groups_release(struct sweep_groups *groups);
/* Resets the counts. */
void sweep_groups_reset(struct sweep_groups *groups);

/* Processes REFERENCE, an access. DIRTIES: stores modify lines. PERMISSION: as for sweep_refer(). */
void sweep_group_access(struct sweep_group *group, const struct reference *reference, bool dirties,
                        uint8_t *permission);
/* Processes a reference that is not an access: write-backs, DMA, CACHE instructions on this cache, flushes. */
void sweep_group_other(struct sweep_group *group, const struct reference *reference);

/* The counts of CACHE. */
const struct sweep_counts *sweep_group_counts(const struct sweep_group *group, const struct sweep_cache *cache);

#endif
