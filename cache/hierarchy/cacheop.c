/* memsys_cache_op: the CACHE instruction on the modelled tags. */
#include "cache/hierarchy/node.h"

/* Performs OP on ENTRY, which is not empty. */
static OUT_OF_LINE void operate_on(struct memsys *memsys, unsigned cpu, struct array *cache, enum memsys_cache_op op,
                                   uint32_t entry)
{
    const struct removal removal = {.why = REMOVED_CACHE_OP, .by_cpu = cpu, .dropped = op == MEMSYS_HIT_INVALIDATE};
    if (op == MEMSYS_HIT_WRITEBACK)
        node_write_back(memsys, cpu, cache, entry);
    else
        node_evict(memsys, cpu, cache, entry, &removal);
}

/* Performs an index operation on the lines of the assist cache that would move into the set with entry FIRST. */
static OUT_OF_LINE void operate_on_assist(struct memsys *memsys, unsigned cpu, struct array *cache,
                                          enum memsys_cache_op op, uint32_t first)
{
    for (uint32_t slot = 0; slot < cache->assist->lines; slot++) {
        const uint32_t entry = array_set_entries(cache) + slot;
        if (cache->word[entry] && cache->assist->slot[slot].first == first)
            operate_on(memsys, cpu, cache, op, entry);
    }
}

static ALWAYS_INLINE void operate(struct memsys *memsys, unsigned cpu, struct array *cache, enum memsys_cache_op op,
                                  const struct memsys_request *request)
{
    if (op == MEMSYS_INDEX_INVALIDATE) {
        const uint32_t first = array_first_of(cache, request), end = first + cache->ways;
        for (uint32_t entry = first; entry < end; entry++)
            if (cache->word[entry])
                operate_on(memsys, cpu, cache, op, entry);
        if (SIM_UNLIKELY(cache->assist))
            operate_on_assist(memsys, cpu, cache, op, first);
        return;
    }
    const uint32_t entry = array_find(cache, request->address & cache->line_mask);
    if (entry != NO_ENTRY)
        operate_on(memsys, cpu, cache, op, entry);
}

void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     const struct memsys_request *request)
{
    if (memsys_is_flat(memsys))
        return;
    struct array *const *caches = memsys->node[cpu].cache;
    const enum memsys_cache data = data_cache(level_of(cache)), insn = insn_cache(level_of(cache));
    /* In the first level the instruction names the instruction or the data cache. A unified level has only one cache.
     */
    const bool both = level_of(cache) != 1 && caches[insn]->word, only_insn = cache == insn && caches[insn]->word;
    if (both && caches[data]->word)
        operate(memsys, cpu, caches[data], op, request);
    struct array *one = caches[both || only_insn ? insn : data];
    if (one->word)
        operate(memsys, cpu, one, op, request);
    TELL(memsys, cache_op, cpu, cache, op, request);
}
