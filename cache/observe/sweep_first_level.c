/*
 * A sweep of first-level caches by LRU stacks. Each combination of cache (instruction, data) and line size among the
 * points has its own stack, or several, if their numbers of sets are not N, 2N, 4N ....
 *
 * Exact if only the CPU, devices and the CACHE instruction act on the first level: one CPU, and no inclusive outer
 * level.
 */
#include "cache/state/geometry.h"
#include "cache/observe/sweep_group.h"

#include "src/base/log.h"
#include <stdio.h>
#include <stdlib.h>

enum { CACHES = 2 }; /* MEMSYS_L1I, MEMSYS_L1D */
_Static_assert(MEMSYS_L1I == 0 && MEMSYS_L1D == 1, "the first two");

struct first_level {
    struct sweep_cache *caches; /* [point * CACHES + cache]: geometry */
    unsigned *group_of;         /* [point * CACHES + cache]: its group */
    struct sweep_groups groups;
};

/* Applicability */

/* Whether an outer level back-invalidates first-level lines; if so, ERR names it. */
static bool outer_is_inclusive(const struct params *params, struct err *err)
{
    static const char *const outer[] = {"l2", "l2i", "l3", "l3i"};
    unsigned caches = sweep_param_is(params, "cache.model", "one-level")     ? 0
                      : sweep_param_is(params, "cache.model", "three-level") ? 4
                                                                             : 2;
    for (unsigned i = 0; i < caches; i++) {
        char name[32];
        snprintf(name, sizeof name, "cache.%s.inclusive", outer[i]);
        bool there = i % 2 == 0 || sweep_param_is(params, i < 2 ? "cache.l2.split" : "cache.l3.split", "on");
        if (there && sweep_param_is(params, name, "on"))
            return !err_set(err, "%s: it back-invalidates first-level lines", name);
    }
    return false;
}

static bool fits(const struct sweep_source *source, const struct params *const *params, unsigned count, struct err *err)
{
    static const char *const varied[] = {"cache.l1i.size",
                                         "cache.l1i.line",
                                         "cache.l1i.ways",
                                         "cache.l1d.size",
                                         "cache.l1d.line",
                                         "cache.l1d.ways",
                                         NULL};
    if (source->cpus != 1)
        return err_set(err, "machine.cpus: must be 1");
    if (!sweep_param_is(params[0], "cache.l1.split", "on"))
        return err_set(err, "cache.l1.split: has to be on");
    if (!sweep_param_is(params[0], "cache.l1d.write", "back") ||
        !sweep_param_is(params[0], "cache.l1d.write_allocate", "on"))
        return err_set(err, "cache.l1d: must be write-back and write-allocate");
    if (!sweep_differs_only_in(params, count, varied, err) || outer_is_inclusive(params[0], err))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!sweep_cache_is_lru(params[i], "l1i", err) || !sweep_cache_is_lru(params[i], "l1d", err))
            return false;
    return true;
}

/* Creation */

static uint32_t coherence_block_of(const struct params *params)
{
    struct sweep_cache last;
    bool one = sweep_param_is(params, "cache.model", "one-level"),
         three = sweep_param_is(params, "cache.model", "three-level");
    sweep_geometry(params, one ? "l1d" : three ? "l3" : "l2", &last);
    return last.line;
}

static void *create(const struct sweep_source *source, const struct params *const *params, unsigned count,
                    struct err *err)
{
    (void)source;
    (void)err;
    struct first_level *first = checked_memory(calloc(1, sizeof *first));
    first->caches = checked_memory(calloc((size_t)count * CACHES, sizeof *first->caches));
    first->group_of = checked_memory(calloc((size_t)count * CACHES, sizeof *first->group_of));
    first->groups = sweep_groups_begin(count * CACHES);
    for (unsigned i = 0; i < count * CACHES; i++) {
        const struct params *point = params[i / CACHES];
        sweep_geometry(point, cache_name((enum memsys_cache)(i % CACHES)), &first->caches[i]);
        first->group_of[i] = sweep_groups_join(&first->groups, (enum memsys_cache)(i % CACHES), &first->caches[i],
                                               coherence_block_of(point));
    }
    sweep_groups_create_stacks(&first->groups);
    return first;
}

static void release(void *sweep)
{
    struct first_level *first = sweep;
    sweep_groups_release(&first->groups);
    free(first->caches);
    free(first->group_of);
    free(first);
}

/* References and results */

static void refer(void *sweep, const struct reference *reference, uint8_t *permission)
{
    struct first_level *first = sweep;
    enum memsys_cache cache = reference->kind == REFERENCE_FETCH ? MEMSYS_L1I : MEMSYS_L1D;
    bool access = reference->kind <= REFERENCE_WRITE;
    for (struct sweep_group *group = first->groups.group; group < first->groups.group + first->groups.count; group++)
        if (!access)
            sweep_group_other(group, reference);
        else if (group->cache == cache)
            sweep_group_access(group, reference, true, permission);
}

static void reset(void *sweep)
{
    sweep_groups_reset(&((struct first_level *)sweep)->groups);
}

static bool cache(const void *sweep, unsigned point, unsigned index, struct sweep_cache *result)
{
    const struct first_level *first = sweep;
    if (index >= CACHES)
        return false;
    unsigned at = point * CACHES + index;
    *result = first->caches[at];
    result->counts = *sweep_group_counts(&first->groups.group[first->group_of[at]], &first->caches[at]);
    return true;
}

const struct sweep_method_ops sweep_first_level = {
    .fits = fits, .create = create, .free = release, .refer = refer, .reset = reset, .cache = cache};
