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

/*
 * Does either first level hold anything of a line of the second? Their lines of it lie side by side; most have been
 * gone for long when the second level's leaves.
 */
typedef uint32_t words __attribute__((vector_size(16), aligned(4), may_alias));
enum { SIDE_BY_SIDE = 16 /* words: 8 lines of 2 ways */, WORDS = sizeof(words) / sizeof(uint32_t) };

static ALWAYS_INLINE words find(const struct array *l1, paddr line, uint32_t size)
{
    const uint32_t *word = l1->word + 2 * (size_t)(line >> l1->line_shift & l1->set_mask);
    words found = {0};
    for (unsigned i = 0; i < SIDE_BY_SIDE; i += WORDS) /* a word of the region is LINE + 1 to LINE + SIZE - 1 */
        found |= (words)(((*(const words *)(word + i) - (line + 1)) & ~(size - 1)) == 0);
    return found;
}

static bool is_side_by_side(const struct array *l1, const struct array *l2)
{
    return l2->line_shift - l1->line_shift == 3 && l1->ways == 2 && l1->set_mask >= 7 && !l1->by_virtual && !l1->hashed;
}

/* The line in ENTRY of L2 leaves. */
static ALWAYS_INLINE void evict(struct memsys *memsys, unsigned cpu, struct array *l2, uint32_t entry)
{
    const uint32_t word = l2->word[entry];
    const paddr line = word & ~(uint32_t)ENTRY_STATE;
    if (word == 0)
        return;
    words found = {1};
    if (SIM_LIKELY(is_side_by_side(l2->data, l2) && is_side_by_side(l2->insn, l2)))
        found = find(l2->data, line, 1u << l2->line_shift) | find(l2->insn, line, 1u << l2->line_shift);
    const uint64_t *halves = (const uint64_t *)(const void *)&found;
    if (SIM_UNLIKELY((halves[0] | halves[1]) != 0))
        node_remove_inner_quietly(l2, entry, l2->inner[entry]);
    l2->counts.write_backs += word / ENTRY_MODIFIED % 2;
    memsys->write_backs += word / ENTRY_MODIFIED % 2;
    uint32_t *record = units_at(&memsys->units, line);
    *record = unit_without(*record, cpu);
}

/* Nobody else holds anything: what coherence_read and coherence_own come to. */
static inline uint32_t new_record(const struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address)
{
    if (access == MEMSYS_WRITE)
        return unit_of_one(cpu, UNIT_M);
    return protocol_of(memsys, address) == MEMSYS_INVALIDATE ? 1u << cpu : unit_of_one(cpu, UNIT_E);
}

cycles memsys_short_cut_miss(struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr address,
                             struct bucket *bucket)
{
    static const enum miss misses[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    const bool fetch = access == MEMSYS_FETCH;
    struct array *l1 = memsys->first[!fetch][cpu], *l2 = l1->next;
    const uint32_t entry = address >> l2->line_shift & l2->set_mask;
    evict(memsys, cpu, l2, entry);
    l2->word[entry] = (address & l2->line_mask) | (access == MEMSYS_WRITE ? ENTRY_DIRTY : ENTRY_CLEAN);
    *units_at(&memsys->units, address) = new_record(memsys, cpu, access, address);
    memsys->fills++;
    l1->counts.misses[access]++;
    l2->counts.misses[access]++;
    bucket->miss[misses[access]]++;
    bucket->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA]++;
    return charge(bucket, fetch ? STALL_L2I : STALL_L2D, memsys->miss_time);
}
