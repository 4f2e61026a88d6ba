/* Inspection of cache contents. */
#include "cache/state/engine.h"

#include <string.h>

/* CACHE, or the data cache if its level is unified. NULL if there is no such level. */
static const struct array *array_of(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache)
{
    struct array *const *caches = memsys->node[cpu].cache;
    if (caches[cache]->word)
        return caches[cache];
    const struct array *data = caches[data_cache(level_of(cache))];
    return data->word ? data : NULL;
}

uint32_t memsys_line(const struct memsys *memsys, enum memsys_cache cache)
{
    const struct array *array = array_of(memsys, 0, cache);
    return array ? 1u << array->line_shift : 0;
}

uint32_t memsys_entries(const struct memsys *memsys, enum memsys_cache cache, uint32_t *ways)
{
    const struct array *array = memsys->node[0].cache[cache];
    if (!array->word)
        return 0;
    if (ways)
        *ways = array->ways;
    return array_lines(array);
}

static struct memsys_entry describe_entry(const struct array *array, uint32_t entry)
{
    struct memsys_entry result = {
        .valid = array->word[entry] != 0, .dirty = entry_is_dirty(array, entry), .line = entry_line(array, entry)};
    result.partial = result.valid && array_is_partial(array, entry);
    if (array->policy->rank && !array_is_assist(array, entry))
        result.order =
            array->policy->rank(array_order(array, entry >> array->order_shift), array->ways, array_way(array, entry));
    return result;
}

struct memsys_entry memsys_entry_at(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, uint32_t entry)
{
    const struct array *array = memsys->node[cpu].cache[cache];
    const uint32_t in_sets = array->sets * array->ways;
    return describe_entry(array, entry >= in_sets ? entry - in_sets + array_set_entries(array)
                                                  : (entry / array->ways) << array->way_shift | entry % array->ways);
}

struct memsys_entry memsys_look(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr address)
{
    const struct array *array = memsys->node[cpu].cache[cache];
    uint32_t entry = array->word ? array_find(array, address & array->line_mask) : NO_ENTRY;
    if (entry == NO_ENTRY)
        return (struct memsys_entry){.valid = false};
    return describe_entry(array, entry);
}

struct memsys_entry memsys_look_victim(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache,
                                       const struct memsys_request *request)
{
    const struct array *array = memsys->node[cpu].cache[cache];
    if (!array->word)
        return (struct memsys_entry){.valid = false};
    const paddr line = request->address & array->line_mask;
    const uint32_t first = array_first_of(array, request);
    const uint32_t beside = array->sector_shift ? array_sector_of(array, first, line) : NO_ENTRY;
    return describe_entry(array, beside != NO_ENTRY ? beside : array_next_victim(array, first, cpu));
}

struct memsys_write_buffer memsys_write_buffer_at(const struct memsys *memsys, unsigned cpu, unsigned level, cycles now)
{
    if (!memsys->timing || level >= memsys->levels)
        return (struct memsys_write_buffer){.depth = 0};
    return timing_write_buffer_at(memsys->timing, cpu, level, now);
}

unsigned memsys_first_sharer(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache)
{
    const unsigned shared = memsys->shared[level_of(cache)];
    return shared > 1 ? cpu & ~(shared - 1) : cpu;
}

unsigned memsys_levels(const struct memsys *memsys)
{
    return memsys->levels;
}

const char *memsys_cache_name(const struct memsys *memsys, enum memsys_cache cache)
{
    return memsys->node[0].cache[cache]->word ? cache_name(cache) : NULL;
}

char memsys_state(const struct memsys *memsys, unsigned cpu, paddr address)
{
    const struct tier *tier = memsys->innermost;
    const struct directory_record record = directory_read(&tier->directory, address);
    return "ISEM"[coherence_state(&record, tier_member(tier, cpu))];
}

static bool histories_are_same(const struct array *a, const struct array *b)
{
    if (a->ways == 1)
        return true;
    const size_t size = a->order_words * sizeof *a->order;
    if (!a->mru && !b->mru)
        return memcmp(a->order, b->order, array_orders(a) * size) == 0;
    for (uint32_t set = 0; set < array_orders(a); set++)
        if (memcmp(array_order(a, set), array_order(b, set), size) != 0)
            return false;
    return true;
}

static bool assist_is_same(const struct assist *a, const struct assist *b)
{
    bool same = a->next == b->next && a->next_hint == b->next_hint;
    for (uint32_t i = 0; i < a->lines; i++)
        same &= a->slot[i].first == b->slot[i].first && a->slot[i].streamed == b->slot[i].streamed &&
                a->hint[i] == b->hint[i];
    return same;
}

static bool array_is_same(const struct array *a, const struct array *b)
{
    return memcmp(a->word, b->word, array_entries(a) * sizeof *a->word) == 0 && histories_are_same(a, b) &&
           a->random == b->random && (!a->assist || assist_is_same(a->assist, b->assist)) &&
           (!a->invalid ||
            memcmp(a->invalid, b->invalid, (size_t)array_entries(a) * a->invalid_groups * sizeof *a->invalid) == 0);
}

bool memsys_is_same(const struct memsys *a, const struct memsys *b, unsigned cpu)
{
    for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++)
        if (memsys_is_first_of(a, cpu, cache) && !array_is_same(a->node[cpu].cache[cache], b->node[cpu].cache[cache]))
            return false;
    return true;
}
