#include "cache/observe/sweep_group.h"

#include "src/base/log.h"
#include <stdlib.h>

static uint32_t sets_of(const struct sweep_cache *cache)
{
    return cache->size / cache->line / cache->ways;
}

struct sweep_groups sweep_groups_begin(unsigned caches)
{
    return (struct sweep_groups){.group = checked_memory(calloc(caches, sizeof(struct sweep_group)))};
}

/* Adds CACHE to SHAPE. Returns false if the caches would not be those of one stack. */
static bool extend(struct sweep_stack_shape *shape, const struct sweep_cache *cache)
{
    const uint32_t sets = sets_of(cache);
    struct sweep_stack_shape wider = *shape;
    wider.sets_min = sets < wider.sets_min ? sets : wider.sets_min;
    wider.sets_max = sets > wider.sets_max ? sets : wider.sets_max;
    wider.ways |= UINT64_C(1) << cache->ways;
    /* SETS is on the way from the smallest to the largest if doublings of it reach the largest, too */
    const struct sweep_stack_shape upper = {wider.line, sets, wider.sets_max, wider.ways};
    if (!sweep_stack_fits(&wider) || !sweep_stack_fits(&upper))
        return false;
    *shape = wider;
    return true;
}

unsigned sweep_groups_join(struct sweep_groups *groups, enum memsys_cache id, const struct sweep_cache *cache,
                           uint32_t block_size)
{
    const uint32_t sets = sets_of(cache);
    for (unsigned i = 0; i < groups->count; i++) {
        struct sweep_group *group = &groups->group[i];
        if (group->cache == id && group->shape.line == cache->line && group->block_size == block_size &&
            extend(&group->shape, cache))
            return i;
    }
    groups->group[groups->count] = (struct sweep_group){
        .cache = id, .shape = {cache->line, sets, sets, UINT64_C(1) << cache->ways}, .block_size = block_size};
    return groups->count++;
}

void sweep_groups_create_stacks(struct sweep_groups *groups)
{
    for (unsigned i = 0; i < groups->count; i++)
        groups->group[i].stack = sweep_stack_create(&groups->group[i].shape);
}

void sweep_groups_release(struct sweep_groups *groups)
{
    for (unsigned i = 0; i < groups->count; i++)
        sweep_stack_free(groups->group[i].stack);
    free(groups->group);
}

void sweep_groups_reset(struct sweep_groups *groups)
{
    for (unsigned i = 0; i < groups->count; i++)
        sweep_stack_reset(groups->group[i].stack);
}

void sweep_group_access(struct sweep_group *group, const struct reference *reference, bool dirties, uint8_t *permission)
{
    const struct sweep_context owner = {.mode = reference->mode, .process = reference->process};
    enum memsys_access access = reference->kind == REFERENCE_FETCH              ? MEMSYS_FETCH
                                : reference->kind == REFERENCE_WRITE && dirties ? MEMSYS_WRITE
                                                                                : MEMSYS_READ;
    enum memsys_permission may = sweep_stack_refer(group->stack, owner, access, reference->address);
    if (!permission)
        return;
    *permission = sweep_lower_permission(*permission, (uint8_t)may);
    if (*permission != PERMIT_NONE)
        sweep_stack_add_permission(group->stack, reference->address, permission);
}

/* DMA, in whole coherence blocks. A block that the device overwrites entirely is not written back. */
static void refer_device(struct sweep_group *group, const struct reference *reference)
{
    uint64_t end = (uint64_t)reference->address + reference->size, line = group->shape.line;
    for (uint64_t block = reference->address & ~(paddr)(group->block_size - 1); block < end && block <= UINT32_MAX;
         block += group->block_size) {
        bool whole = block >= reference->address && block + group->block_size <= end;
        for (uint64_t at = block; at < block + group->block_size; at += line)
            if (reference->kind == REFERENCE_DMA_WRITE)
                sweep_stack_invalidate(group->stack, (paddr)at, SWEEP_COHERENCE, !whole);
            else
                sweep_stack_clean(group->stack, (paddr)at);
    }
}

static void refer_cache_op(struct sweep_group *group, const struct reference *reference)
{
    if (reference->cache != group->cache)
        return;
    switch (reference->op) {
    case MEMSYS_HIT_INVALIDATE: sweep_stack_invalidate(group->stack, reference->address, SWEEP_FLUSHED, false); break;
    case MEMSYS_HIT_WRITEBACK: sweep_stack_clean(group->stack, reference->address); break;
    case MEMSYS_HIT_WRITEBACK_INVALIDATE:
        sweep_stack_invalidate(group->stack, reference->address, SWEEP_FLUSHED, true);
        break;
    case MEMSYS_INDEX_INVALIDATE: sweep_stack_index_invalidate(group->stack, reference->address); break;
    }
}

void sweep_group_other(struct sweep_group *group, const struct reference *reference)
{
    switch (reference->kind) {
    case REFERENCE_WRITE_BACK: sweep_stack_write_back(group->stack, reference->address); break;
    case REFERENCE_DMA_READ:
    case REFERENCE_DMA_WRITE:
        if (reference->size > 0)
            refer_device(group, reference);
        break;
    case REFERENCE_CACHE_OP: refer_cache_op(group, reference); break;
    case REFERENCE_FLUSH: sweep_stack_flush(group->stack); break;
    default: break;
    }
}

const struct sweep_counts *sweep_group_counts(const struct sweep_group *group, const struct sweep_cache *cache)
{
    return sweep_stack_counts(group->stack, sets_of(cache), cache->ways);
}
