#include "cache/hierarchy/sector_fill.h"

#include "cache/hierarchy/node.h"

uint32_t sector_place(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t first, paddr line)
{
    const struct removal removal = {.why = REMOVED_EVICTION, .by_cpu = cpu};
    const uint32_t beside = array_sector_of(cache, first, line);
    if (beside != NO_ENTRY)
        return beside;
    const uint32_t victim = array_victim(cache, first, cpu);
    for (uint32_t nth = 0; nth < 1u << cache->sector_shift; nth++) {
        const uint32_t entry = array_sector_entry(cache, victim, nth);
        if (entry != victim && cache->word[entry])
            node_evict(memsys, cpu, cache, entry, &removal);
    }
    return victim;
}
