#include "cache/hierarchy/assist_fill.h"

#include "cache/hierarchy/node.h"
#include "cache/hierarchy/sector_fill.h"
#include "cache/prefetch/prefetch.h"

static void evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry)
{
    const struct removal removal = {.why = REMOVED_EVICTION, .by_cpu = cpu};
    node_evict(memsys, cpu, cache, entry, &removal);
}

/* Moves the line in ENTRY, of the assist cache, into the set whose first entry is FIRST. */
static void move_to_set(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, uint32_t first)
{
    const uint32_t to = cache->sector_shift ? sector_place(memsys, cpu, cache, first, entry_line(cache, entry))
                                            : array_victim(cache, first, cpu);
    if (cache->word[to])
        evict(memsys, cpu, cache, to);
    array_move(cache, entry, to);
    if (memsys->prefetch)
        prefetch_moved(memsys, cpu, cache, entry, to);
}

uint32_t assist_take_slot(struct memsys *memsys, unsigned cpu, struct array *cache,
                          const struct memsys_request *request)
{
    struct assist *assist = cache->assist;
    struct assist_slot *slot = &assist->slot[assist->next];
    const uint32_t entry = array_set_entries(cache) + assist->next;
    assist->next = (assist->next + 1) % assist->lines;
    if (cache->word[entry] && slot->streamed) {
        assist->dropped++;
        evict(memsys, cpu, cache, entry);
    } else if (cache->word[entry]) {
        assist->moved++;
        move_to_set(memsys, cpu, cache, entry, slot->first);
    }
    *slot = (struct assist_slot){.first = array_first_of(cache, request),
                                 .streamed = assist_recall(assist, request->address & cache->line_mask)};
    return entry;
}

void assist_hint(struct array *cache, const struct memsys_request *request)
{
    const paddr line = request->address & cache->line_mask;
    const uint32_t entry = array_find(cache, line);
    if (entry == NO_ENTRY)
        assist_remember(cache->assist, line);
    else if (array_is_assist(cache, entry))
        cache->assist->slot[entry - array_set_entries(cache)].streamed = true;
}

bool memsys_takes_stream_hints(const struct memsys *memsys)
{
    return !memsys_is_flat(memsys) && memsys->node[0].first[1]->assist;
}

void memsys_prefetch_streamed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    if (memsys_takes_stream_hints(memsys))
        assist_hint(memsys->node[cpu].first[1], request);
    memsys_prefetch(memsys, cpu, request);
}
