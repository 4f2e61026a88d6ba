#include "cache/observe/sweep_group.h"

uint32_t sweep_group_sets(const struct sweep_cache *cache)
{
    return cache->size / cache->line / cache->ways;
}

void sweep_group_extend(struct sweep_group *group, const struct sweep_cache *cache)
{
    uint32_t sets = sweep_group_sets(cache);
    if (sets < group->shape.sets_min)
        group->shape.sets_min = sets;
    if (sets > group->shape.sets_max)
        group->shape.sets_max = sets;
    if (cache->ways > group->shape.ways_max)
        group->shape.ways_max = cache->ways;
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
    return sweep_stack_counts(group->stack, sweep_group_sets(cache), cache->ways);
}
