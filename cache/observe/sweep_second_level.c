/* A sweep of unified second-level caches by LRU stacks. The references to the second level are the misses of the
 * first, and these are equal for all points if no second level is inclusive (no back-invalidation). One memory system,
 * the front, therefore simulates the first level of all points, and the references to its second level go to the
 * stacks.
 */
#include "cache/observe/observe.h"
#include "cache/observe/sweep_group.h"

#include "src/base/log.h"
#include <stdlib.h>

struct second_level {
    struct memsys *front;
    bool needs_every_access; /* see sweep_needs_every_access() */
    struct observer *observer;
    struct sweep_context owner; /* context of the current reference */
    struct sweep_groups groups;
    struct bucket unused_bucket; /* stalls and misses of the accesses in the front; not used */
    uint8_t dummy_permission;    /* dummy permission byte */
    unsigned count;
    struct second_point {
        struct sweep_cache cache;
        unsigned group;
    } points[];
};

static bool fits(const struct sweep_source *source, const struct params *const *params, unsigned count, struct err *err)
{
    static const char *const varied[] = {"cache.l2.size", "cache.l2.ways", NULL};
    if (source->cpus != 1)
        return err_set(err, "machine.cpus: must be 1");
    if (!sweep_param_is(params[0], "cache.model", "two-level") || sweep_param_is(params[0], "cache.l2.split", "on"))
        return err_set(err, "cache.model: must have two levels with a unified second");
    if (!sweep_param_is(params[0], "cache.l2.partition", ""))
        return err_set(err, "cache.l2.partition: must be empty");
    if (sweep_param_is(params[0], "cache.l2.inclusive", "on"))
        return err_set(err, "cache.l2.inclusive: it back-invalidates first-level lines");
    if (!sweep_param_is(params[0], "cache.l1d.write", "back") ||
        !sweep_param_is(params[0], "cache.l1d.write_allocate", "on") ||
        !sweep_param_is(params[0], "cache.l2.write", "back") ||
        !sweep_param_is(params[0], "cache.l2.write_allocate", "on"))
        return err_set(err, "cache.l1d, cache.l2: must be write-back and write-allocate");
    if (!sweep_differs_only_in(params, count, varied, err))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!sweep_cache_is_lru(params[i], "l2", err))
            return false;
    return true;
}

/* A reference to the second level of the front. */
static void refer_second(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct second_level *second = opaque;
    (void)permission;
    reference->mode = second->owner.mode;
    reference->process = second->owner.process;
    for (unsigned i = 0; i < second->groups.count; i++)
        if (reference->kind <= REFERENCE_WRITE)
            sweep_group_access(&second->groups.group[i], reference, false, NULL);
        else
            sweep_group_other(&second->groups.group[i], reference);
}

static void release(void *sweep)
{
    struct second_level *second = sweep;
    observe_end(second->observer);
    memsys_free(second->front);
    sweep_groups_release(&second->groups);
    free(second);
}

static void *create(const struct sweep_source *source, const struct params *const *params, unsigned count,
                    struct err *err)
{
    struct second_level *second = checked_memory(calloc(1, sizeof *second + count * sizeof *second->points));
    second->count = count;
    second->needs_every_access = sweep_needs_every_access(params[0]);
    second->groups = sweep_groups_begin(count);
    for (unsigned i = 0; i < count; i++) {
        struct second_point *point = &second->points[i];
        sweep_geometry(params[i], "l2", &point->cache);
        point->group = sweep_groups_join(&second->groups, MEMSYS_L2, &point->cache, point->cache.line);
    }
    sweep_groups_create_stacks(&second->groups);
    second->front = memsys_create(params[0], source->cpus, source->clock_hz, err);
    if (!second->front) {
        release(second);
        return NULL;
    }
    second->observer = observe_begin(second->front, 2, refer_second, second);
    return second;
}

static void refer_access(struct second_level *second, const struct reference *reference, uint8_t *permission)
{
    static const enum memsys_access accesses[] = {
        [REFERENCE_FETCH] = MEMSYS_FETCH, [REFERENCE_READ] = MEMSYS_READ, [REFERENCE_WRITE] = MEMSYS_WRITE};
    uint8_t *byte = permission ? permission : &second->dummy_permission;
    uint8_t allowed = permission && !second->needs_every_access ? *permission : PERMIT_NONE;
    const struct memsys_request request = {.address = reference->address,
                                           .virtual_address = reference->virtual_address,
                                           .space = reference->space,
                                           .access = accesses[reference->kind],
                                           .size = (uint8_t)reference->size,
                                           .max_permission = sweep_max_permission(allowed),
                                           .permission = byte,
                                           .now = reference->now,
                                           .bucket = &second->unused_bucket};
    second->owner = (struct sweep_context){.mode = reference->mode, .process = reference->process};
    *byte = PERMIT_NONE;
    memsys_access(second->front, reference->cpu, &request);
    *byte = sweep_lower_permission(allowed, *byte);
}

static void refer(void *sweep, const struct reference *r, uint8_t *permission)
{
    struct second_level *second = sweep;
    switch (r->kind) {
    case REFERENCE_DMA_READ: memsys_dma_read(second->front, r->address, r->size, r->now); break;
    case REFERENCE_DMA_WRITE: memsys_dma_write(second->front, r->address, r->size, r->now); break;
    case REFERENCE_CACHE_OP: sweep_cache_op(second->front, r); break;
    case REFERENCE_FLUSH: memsys_flush(second->front); break;
    case REFERENCE_FETCH:
    case REFERENCE_READ:
    case REFERENCE_WRITE: refer_access(second, r, permission); break;
    default: break;
    }
}

static void reset(void *sweep)
{
    sweep_groups_reset(&((struct second_level *)sweep)->groups);
}

static bool cache(const void *sweep, unsigned point, unsigned index, struct sweep_cache *result)
{
    const struct second_level *second = sweep;
    if (index > 0)
        return false;
    *result = second->points[point].cache;
    result->counts = *sweep_group_counts(&second->groups.group[second->points[point].group], result);
    return true;
}

const struct sweep_method_ops sweep_second_level = {
    .fits = fits, .create = create, .free = release, .refer = refer, .reset = reset, .cache = cache};
