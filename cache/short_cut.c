/* memsys_short_cut: the commonest hierarchy, laid open; and what it comes to when its second level misses. */
#include "cache/node.h"

/* What is inside the lines of CACHE is not going to be noted. */
static void fill_unnoted(struct array *cache)
{
    const unsigned parts = 1u << (cache->line_shift - cache->part_shift);
    cache->inner_new = ((1u << parts) - 1) * 0x10001u;
    for (uint32_t entry = 0; entry < array_entries(cache); entry++)
        cache->inner[entry] = cache->inner_new;
}

bool memsys_short_cut(struct memsys *memsys, unsigned cpu, enum memsys_access access, struct memsys_short_cut *cut)
{
    if (memsys->levels != 2 || !memsys->may_short_cut)
        return false;
    struct array *l1 = memsys->first[access != MEMSYS_FETCH][cpu], *l2 = l1->next;
    if (l1->by_virtual || l1->hashed || l1->policy != REPLACE_LRU || l1->ways != 2 || l1->through || l2->ways != 1 ||
        l2->hashed || l2->by_virtual || l2->hit_time > INT32_MAX)
        return false;
    fill_unnoted(l2);
    *cut = (struct memsys_short_cut){.open = &memsys->unwatched,
                                     .word = l1->word,
                                     .history = (uint32_t)((char *)l1->history - (char *)l1->word),
                                     .quick = (uint32_t)((char *)l1->quick - (char *)l1->word),
                                     .last = l1->last,
                                     .misses = l1->counts.misses,
                                     .write_backs = &l1->counts.write_backs,
                                     .outer = l2->word,
                                     .line_shift = l1->line_shift,
                                     .set_mask = l1->set_mask,
                                     .outer_shift = l2->line_shift,
                                     .outer_mask = l2->set_mask,
                                     .time = (uint32_t)l2->hit_time,
                                     .records = memsys->upgrades ? NULL : memsys->units.chunk,
                                     .chunk_shift = UNITS_CHUNK_SHIFT,
                                     .owned = unit_of_one(cpu, UNIT_M)};
    return true;
}

/* The way used longest ago of SET, used now. */
static inline uint32_t take_victim(struct array *l1, uint32_t set)
{
    if (l1->last)
        return (l1->last[set] ^= QUICK_WAY) / QUICK_WAY & 1;
    return (uint32_t)((l1->history[set] ^= 0x11) & 1);
}

/* The line of ADDRESS comes to L1 with STATE: as first_level.c does it. */
static inline void fill_first(struct array *l1, paddr address, uint32_t state, uint8_t *quick)
{
    const uint32_t set = address >> l1->line_shift & l1->set_mask, way = take_victim(l1, set);
    uint32_t *word = l1->word + 2 * (size_t)set + way;
    uint8_t **slot = &l1->quick[l1->last ? 2 * (size_t)set + way : set];
    l1->counts.write_backs += *word / ENTRY_MODIFIED % 2;
    *word = (address & l1->line_mask) | state;
    **slot = QUICK_NONE;
    *slot = quick;
    *quick = (uint8_t)(l1->last ? state | way * QUICK_WAY : state);
}

/* Nobody else holds anything: what coherence_read and coherence_own come to. */
static inline uint32_t new_record(const struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address)
{
    if (access == MEMSYS_WRITE)
        return unit_of_one(cpu, UNIT_M);
    return protocol_of(memsys, address) == MEMSYS_INVALIDATE ? 1u << cpu : unit_of_one(cpu, UNIT_E);
}

cycles memsys_short_cut_miss(struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address,
                             uint8_t *quick, struct bucket *bucket)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    const bool fetch = access == MEMSYS_FETCH;
    struct array *l1 = memsys->first[!fetch][cpu], *l2 = l1->next;
    const enum entry_state state = access == MEMSYS_WRITE ? ENTRY_DIRTY : ENTRY_CLEAN;
    *units_at(&memsys->units, address) = new_record(memsys, cpu, access, address);
    memsys->fills++;
    node_fill_quietly(memsys, cpu, l2, address, state);
    fill_first(l1, address, state, quick);
    l1->counts.misses[access]++;
    l2->counts.misses[access]++;
    bucket->miss[misses[access]]++;
    bucket->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA]++;
    return charge(bucket, fetch ? STALL_L2I : STALL_L2D, memsys->miss_time);
}
