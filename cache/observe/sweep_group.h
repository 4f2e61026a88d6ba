/*
 * Caches of a sweep that are one stack: the same cache of several points, which differ in size and ways only. Private
 * to cache/sweep*.c.
 */
#ifndef SIMOS_CACHE_SWEEP_GROUP_H
#define SIMOS_CACHE_SWEEP_GROUP_H

#include "cache/observe/sweep_method.h"
#include "cache/observe/sweep_stack.h"

struct sweep_group {
    enum memsys_cache cache;
    struct sweep_stack_shape shape;
    uint32_t unit; /* bytes that a device's access takes at a time: a line of the last level */
    struct sweep_stack *stack;
};

uint32_t sweep_group_sets(const struct sweep_cache *cache);
/* CACHE is one of GROUP, which holds at least one already. Before its stack is created. */
void sweep_group_extend(struct sweep_group *group, const struct sweep_cache *cache);

/* REFERENCE, an access; stores make lines modified if DIRTIES. QUICK as for sweep_refer(). */
void sweep_group_access(struct sweep_group *group, const struct reference *reference, bool dirties, uint8_t *quick);
/* What is no access: devices, CACHE instructions on this cache, flushes. */
void sweep_group_other(struct sweep_group *group, const struct reference *reference);

/* The counts of CACHE. */
const struct sweep_counts *sweep_group_counts(const struct sweep_group *group, const struct sweep_cache *cache);

#endif
