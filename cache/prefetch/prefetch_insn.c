/* Guarded sequential instruction prefetch: Xia and Torrellas, IEEE TC 1999, section 4.2.1. */
#include "cache/prefetch/prefetch_state.h"

static paddr page_of(paddr address)
{
    return address & ~(paddr)(PAGE_SIZE - 1);
}

/* Whether to continue with the line after LINE: LINE has no guard, and the next line is in the same page. */
static bool continues(const struct prefetch *prefetch, paddr line, uint32_t size)
{
    return !guards_in(&prefetch->guards, line, size) && page_of(line + size) == page_of(line);
}

/* Whether a cache behind FIRST, up to the level that the prefetcher reaches, has the line of ADDRESS. */
static bool is_in_reach(const struct prefetch *prefetch, const struct array *first, paddr address)
{
    if (prefetch->reach == 0)
        return true;
    for (const struct array *cache = first->next; cache && cache->level <= prefetch->reach; cache = cache->next)
        if (array_find(cache, address & cache->line_mask) != NO_ENTRY)
            return true;
    return false;
}

void prefetch_run(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct prefetch *prefetch = memsys->prefetch;
    struct array *first = memsys->node[cpu].first[0];
    const uint32_t size = 1u << first->line_shift;
    struct memsys_request adjusted = *request;
    adjusted.max_permission = PERMIT_NONE;
    adjusted.permission = &first->dummy_permission;
    adjusted.bucket = NULL;
    adjusted.address = request->address & first->line_mask;
    adjusted.virtual_address -= request->address - adjusted.address;
    if (prefetch->guarded_only && !guards_in(&prefetch->guards, page_of(adjusted.address), PAGE_SIZE))
        return;
    prefetch->cpu[cpu].counts[PREFETCH_INSN].requests++;
    uint32_t ahead = prefetch->lines ? prefetch->lines : UINT32_MAX;
    while (ahead-- > 0 && continues(prefetch, adjusted.address, size)) {
        adjusted.address += size;
        adjusted.virtual_address += size;
        if (array_find(first, adjusted.address) != NO_ENTRY)
            continue;
        if (!is_in_reach(prefetch, first, adjusted.address)) {
            prefetch->cpu[cpu].counts[PREFETCH_INSN].dropped++;
            continue;
        }
        adjusted.now += prefetch->interval;
        prefetch_first(memsys, cpu, first, &adjusted, PREFETCH_INSN);
    }
}
