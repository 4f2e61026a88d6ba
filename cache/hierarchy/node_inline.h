/* Evictions and fills within one CPU, as text that is compiled for each shape (shape.h). Private to cache/hierarchy. */
#ifndef SIMOS_CACHE_HIERARCHY_NODE_INLINE_H
#define SIMOS_CACHE_HIERARCHY_NODE_INLINE_H

#include "cache/classify/classify.h"
#include "cache/hierarchy/assist_fill.h"
#include "cache/hierarchy/node.h"
#include "cache/hierarchy/sector_fill.h"
#include "cache/hierarchy/shape.h"
#include "cache/state/response.h"

/* The functions below take the shape AS, and FIRST: whether CACHE is a first level. */

static ALWAYS_INLINE bool node_may_be_mapped(const struct array *cache, bool first, const struct shape *as)
{
    return !(as->simple && (!first || as->physical)) && cache->mapped;
}

static ALWAYS_INLINE uint32_t node_ways(const struct array *cache, bool first, const struct shape *as)
{
    return first ? as->ways ? as->ways : cache->ways : as->direct ? 1 : cache->ways;
}

static ALWAYS_INLINE bool node_ways_known(bool first, const struct shape *as)
{
    return first ? as->ways != 0 : as->direct;
}

/* The first entry of the set that REQUEST selects. */
static ALWAYS_INLINE uint32_t node_set(const struct array *cache, const struct memsys_request *request, bool first,
                                       const struct shape *as)
{
    if (as->simple && (!first || as->physical)) {
        const uint32_t set = request->address >> cache->line_shift & cache->set_mask;
        return node_ways_known(first, as) ? set * node_ways(cache, first, as) : set << cache->way_shift;
    }
    return array_first_of(cache, request);
}

/* The entry of LINE in the set whose first entry is SET, or NO_ENTRY. */
static ALWAYS_INLINE uint32_t node_find_in(const struct array *cache, uint32_t set, paddr line, bool first,
                                           const struct shape *as)
{
    const uint32_t *word = cache->word + set;
    const uint32_t ways = node_ways(cache, first, as);
    for (uint32_t way = 0; way < ways; way++)
        if (word[way] - line - 1 < ENTRY_STATE)
            return set + way;
    return NO_ENTRY;
}

/* The entry of the line of ADDRESS in CACHE, an outer level. */
static ALWAYS_INLINE uint32_t node_find_outer(const struct array *cache, paddr address, const struct shape *as)
{
    if (!as->simple)
        return array_find(cache, address & cache->line_mask);
    const uint32_t number = address >> cache->line_shift & cache->set_mask;
    const uint32_t set = as->direct ? number : number << cache->way_shift;
    return node_find_in(cache, set, address & cache->line_mask, false, as);
}

static ALWAYS_INLINE void node_touch(struct array *cache, uint32_t entry, bool first, const struct shape *as)
{
    if (first && as->mru)
        cache->mru[entry >> 1] = (uint8_t)(PERMIT_READ | (entry & 1) * PERMIT_WAY);
    else if (first && as->ways == 2 && as->simple && !cache->mru)
        cache->order[entry >> 1] = entry & 1 ? 0x01 : 0x10;
    else if (!(node_ways_known(first, as) && node_ways(cache, first, as) == 1))
        array_touch(cache, entry);
}

/* The victim, for a fill by CPU, of the set whose first entry is SET. */
static ALWAYS_INLINE uint32_t node_victim(struct array *cache, uint32_t set, unsigned cpu, bool first,
                                          const struct shape *as)
{
    if (as->simple && node_ways(cache, first, as) == 1)
        return set;
    if (first && as->mru)
        return set + (cache->mru[set >> 1] & PERMIT_WAY ? 0 : 1);
    if (first && as->ways == 2 && as->simple && !cache->mru)
        return set + (cache->order[set >> 1] >> 4 & 1);
    return array_victim(cache, set, cpu);
}

/* The modified LINE leaves CACHE outwards. */
static ALWAYS_INLINE void node_count_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, paddr line,
                                                const struct shape *as)
{
    memsys->node[cpu].events[cache->id].write_backs++;
    TELL_AS(as, memsys, write, cpu, cache->id, line, 1u << cache->line_shift);
    if (!as->untimed)
        note_write_back(memsys, cpu, cache, line);
}

/* Writes the modified LINE, which CACHE evicts or cleans, to the next level that takes it. */
static ALWAYS_INLINE void node_write_outwards(struct memsys *memsys, unsigned cpu, struct array *cache, paddr line,
                                              bool first, const struct shape *as)
{
    const uint32_t size = 1u << cache->line_shift;
    node_count_write_back(memsys, cpu, cache, line, as);
    for (struct array *outer = cache->next; outer; outer = outer->next) {
        if ((first && as->nested) || outer->inclusive)
            return; /* marked dirty at the store */
        uint32_t entry = node_find_outer(outer, line, as);
        if (entry != NO_ENTRY) {
            outer->word[entry] |= ENTRY_DIRTY;
            return;
        }
        TELL_AS(as, memsys, write, cpu, outer->id, line, size);
    }
    memsys->write_backs++;
    if (!as->untimed)
        note_reached_memory(memsys, cpu);
}

/* Whether a cache of CPU, which has one level, holds LINE in state LOWEST or higher. */
static ALWAYS_INLINE bool node_level_has(const struct memsys *memsys, unsigned cpu, paddr line, enum entry_state lowest)
{
    const struct node *node = &memsys->node[cpu];
    for (unsigned i = 0; i < 2 && node->last[i]; i++) {
        const uint32_t entry = array_find(node->last[i], line);
        if (entry != NO_ENTRY && entry_state(node->last[i], entry) >= lowest)
            return true;
    }
    return false;
}

/* As node_update_state(). */
static ALWAYS_INLINE void node_update_state_as(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr line,
                                               const struct shape *as)
{
    if (!as->only) {
        node_update_state(memsys, tier, cpu, line);
        return;
    }
    struct directory_record *record = directory_at(&memsys->tier[0].directory, line);
    if (coherence_state(record, cpu) == COHERENCE_M && node_level_has(memsys, cpu, line, ENTRY_DIRTY))
        return;
    if (!node_level_has(memsys, cpu, line, ENTRY_CLEAN))
        directory_remove(record, cpu);
    else if (coherence_state(record, cpu) == COHERENCE_M)
        *record = node_clean_record(memsys, cpu, line);
}

/* Updates the coherence state after LINE left CACHE, or became clean in it: in the tier whose members have CACHE, and
 * in those further out whose members' outermost caches do not say it. */
static ALWAYS_INLINE void node_update_state_after(struct memsys *memsys, unsigned cpu, const struct array *cache,
                                                  paddr line, bool left, bool first, const struct shape *as)
{
    if (first && as->nested)
        return;
    struct tier *tier = as->alone ? &memsys->tier[0] : cache->tier;
    if (!as->nested && !tier->inclusive) {
        if (is_in_current_block(memsys, tier, line))
            memsys->pending |= 1u << tier->number;
        else
            node_update_state_as(memsys, tier, cpu, line, as);
    } else if (as->alone ? cache->next == NULL : cache->level == tier->level) {
        const unsigned member = as->alone ? cpu : tier_member(tier, cpu);
        struct directory_record *record = directory_at(&tier->directory, line);
        if (left)
            directory_remove(record, member);
        else
            *record = node_clean_record(memsys, member, line);
    }
    if (!as->alone && SIM_UNLIKELY(tier->outer != NULL))
        node_update_outer(memsys, tier, cpu, line);
}

/* Evicts ENTRY of CPU's CACHE, as node_evict(). REPLACED: it will be filled at once, and permission will be granted or
 * withdrawn. */
static ALWAYS_INLINE void node_evict_as(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                                        const struct removal *removal, bool replaced, bool first,
                                        const struct shape *as)
{
    const paddr line = entry_line(cache, entry);
    if (!first && cache->inner)
        node_back_invalidate(memsys, cpu, cache, entry, removal);
    const bool dirty = entry_is_dirty(cache, entry);
    if (!as->simple && SIM_UNLIKELY(cache->next && cache->next->exclusive) &&
        (removal->why == REMOVED_EVICTION || removal->why == REMOVED_ALIAS)) {
        if (dirty)
            node_count_write_back(memsys, cpu, cache, line, as);
        node_take_victim(memsys, cpu, cache->next, line, dirty);
    } else if (dirty && !removal->dropped) {
        node_write_outwards(memsys, cpu, cache, line, first, as);
    }
    if (!replaced) {
        array_invalidate(cache, entry);
    } else {
        if (node_may_be_mapped(cache, first, as))
            array_unmap(cache, line, entry);
        cache->word[entry] = 0;
    }
    if (as->classified && !first)
        classify_cache_removal(cache->classify, line, REMOVED_EVICTION, cpu);
    TELL_AS(as, memsys, removal, cpu, cache->id, line, removal->why, removal->by_cpu);
    node_update_state_after(memsys, cpu, cache, line, true, first, as);
}

/* Fills the line of REQUEST into CACHE with STATE; evicts a victim if the set that it selects is full. If CACHE has an
 * assist cache the line goes there. PARENT is the entry of the next level that contains the line, or NO_ENTRY. Returns
 * the entry filled, with what it held in *VICTIM. */
static ALWAYS_INLINE uint32_t node_fill(struct memsys *memsys, unsigned cpu, struct array *cache,
                                        const struct memsys_request *request, enum entry_state state, uint32_t parent,
                                        uint32_t *victim, bool first, const struct shape *as)
{
    const paddr address = request->address, line = address & cache->line_mask;
    const uint32_t entry = !as->simple && SIM_UNLIKELY(cache->assist) ? assist_take_slot(memsys, cpu, cache, request)
                           : !as->simple && SIM_UNLIKELY(cache->sector_shift)
                               ? sector_place(memsys, cpu, cache, array_first_of(cache, request), line)
                               : node_victim(cache, node_set(cache, request, first, as), cpu, first, as);
    *victim = cache->word[entry];
    if (*victim) {
        const struct removal removal = {.why = REMOVED_EVICTION, .by_cpu = cpu};
        node_evict_as(memsys, cpu, cache, entry, &removal, true, first, as);
    }
    cache->word[entry] = line | state;
    if (!first && cache->inner)
        cache->inner[entry] = 0;
    if (!as->simple && cache->invalid)
        array_validate_all(cache, entry);
    if (node_may_be_mapped(cache, first, as))
        array_map_add(cache, line, entry);
    if (as->simple)
        node_touch(cache, entry, first, as); /* in true LRU a fill is a use */
    else
        array_fill_order(cache, entry);
    if ((first && as->nested) || (parent != NO_ENTRY && cache->next->inner))
        cache->next->inner[parent] |= array_inner_bit(cache->next, address, cache->insn_inside);
    if (as->classified && !first)
        classify_cache_fill(cache->classify, address, request->now);
    TELL_AS(as, memsys, fill, cpu, cache->id, line);
    return entry;
}

/* CPU stores to ENTRY of CACHE: it and the lines around it in inclusive outer levels become dirty. */
static ALWAYS_INLINE void node_mark_dirty(struct array *cache, uint32_t entry, const struct shape *as)
{
    const paddr line = entry_line(cache, entry);
    cache->word[entry] |= ENTRY_DIRTY;
    for (struct array *outer = cache->next; outer; outer = outer->next)
        if (outer->inclusive)
            outer->word[node_find_outer(outer, line, as)] |= ENTRY_DIRTY;
}

#endif
