/* The CACHE instruction on the modelled tags: memsys_cache_op. */
#include "cache/node.h"

static void operate(struct memsys *memsys, unsigned cpu, struct array *cache, enum memsys_cache_op op, paddr address)
{
    const struct departure departure = {.why = LEAVE_CACHE_OP, .by_cpu = cpu, .dropped = op == MEMSYS_HIT_INVALIDATE};
    if (op == MEMSYS_INDEX_INVALIDATE) {
        uint32_t first = array_first(cache, address, address);
        for (uint32_t entry = first; entry < first + cache->ways; entry++)
            if (cache->word[entry])
                node_evict(memsys, cpu, cache, entry, &departure);
        return;
    }
    uint32_t entry = array_find(cache, address & cache->line_mask);
    if (entry == NO_ENTRY)
        return;
    if (op == MEMSYS_HIT_WRITEBACK)
        node_write_back(memsys, cpu, cache, entry);
    else
        node_evict(memsys, cpu, cache, entry, &departure);
}

void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     paddr address)
{
    if (memsys_is_flat(memsys))
        return;
    struct array *caches = memsys->node[cpu].cache;
    const enum memsys_cache data = data_cache(level_of(cache)), insn = insn_cache(level_of(cache));
    /* In the first level the instruction says which cache it means. A level that is not split has only the one. */
    bool first = level_of(cache) == 1, unified = !caches[insn].word;
    if (caches[data].word && (!first || cache == data || unified))
        operate(memsys, cpu, &caches[data], op, address);
    if (caches[insn].word && (!first || cache == insn))
        operate(memsys, cpu, &caches[insn], op, address);
    TELL(memsys, cache_op, cpu, cache, op, address);
}
