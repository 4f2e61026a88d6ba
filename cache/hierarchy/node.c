#include "cache/hierarchy/node_inline.h"

#include "cache/hierarchy/protocol.h"

/* A region is a block of memory aligned to its size, which is a power of two. */

static void region_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                              const struct removal *removal);

static enum memsys_removal inner_reason(enum memsys_removal why)
{
    return why == REMOVED_EVICTION ? REMOVED_BACK_INVALIDATION : why;
}

/* Four adjacent cache entries, to compare at once. words is used for values, words_in_memory, aligned to one
 * word, for loads: with a single type for both, passed by value, gcc 14 for arm64 fails with an internal error. */
typedef uint32_t words __attribute__((vector_size(16)));
typedef words words_in_memory __attribute__((aligned(4), may_alias));
enum { WORDS = sizeof(words) / sizeof(uint32_t), SIXTEEN = 4 * WORDS };

/* Compares the four entries from WORD with the region of SIZE bytes (a power of two) at START. The result has bit FIRST
 * set for a match of the first entry, FIRST << 1 for the second and so on. An entry with a line in the region is
 * between START + 1 and START + SIZE - 1. For the last region of the address space empty entries match, too. */
static ALWAYS_INLINE words find_words(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return (words)(((*(const words_in_memory *)word - (start + 1)) & ~(size - 1)) == 0) &
           (words){first, first << 1, first << 2, first << 3};
}

/* The same for sixteen entries; the bits are spread over the four words of the result. */
static ALWAYS_INLINE words find_sixteen(const uint32_t *word, paddr start, uint32_t size, uint32_t first)
{
    return find_words(word, start, size, first) | find_words(word + WORDS, start, size, first << WORDS) |
           find_words(word + 2 * WORDS, start, size, first << 2 * WORDS) |
           find_words(word + 3 * WORDS, start, size, first << 3 * WORDS);
}

/* The union of the four words of BITS. */
static ALWAYS_INLINE uint32_t all_bits(words bits)
{
    const uint64_t *halves = (const uint64_t *)(const void *)&bits, both = halves[0] | halves[1];
    return (uint32_t)(both | both >> 32);
}

/* Finds the entries of CACHE, a physically indexed first level, with lines of the SIZE bytes from START: bit N of
 * *FOUND is entry N from the first entry of START's set on. The sets of a region are adjacent. For the last region of
 * the address space empty entries are found, too. Usually nothing is found: most regions evicted from the second level
 * were evicted from the first long before. Returns false if the geometry does not permit this search. */
static ALWAYS_INLINE bool find_adjacent(const struct array *cache, paddr start, uint32_t size, uint32_t *found)
{
    enum { MOST = 32 };
    const uint32_t lines = size >> cache->line_shift, count = lines << cache->way_shift;
    if (SIM_UNLIKELY(cache->hashed || cache->modulo || cache->mapped || lines > cache->sets || count % WORDS != 0 ||
                     count > MOST))
        return false;
    const uint32_t *word = cache->word + array_first(cache, start);
    words bits = {0};
    if (SIM_LIKELY(count == SIXTEEN))
        bits = find_sixteen(word, start, size, 1);
    else
        for (uint32_t i = 0; i < count; i += WORDS)
            bits |= find_words(word + i, start, size, 1u << i);
    *found = all_bits(bits);
    return true;
}

enum { DATA_PARTS = 0xffff }; /* bits of array->inner */

static void invalidate_entry(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                             const struct removal *removal);

/* Invalidates the lines of INNER inside the line of OUTER at LINE. PARTS, as in array->inner, may be present. */
static void back_invalidate_in(struct memsys *memsys, unsigned cpu, const struct array *outer, struct array *inner,
                               paddr line, uint32_t parts, const struct removal *removal)
{
    const uint32_t size = 1u << outer->line_shift;
    uint32_t found;
    if (inner->level == 1 && find_adjacent(inner, line, size, &found)) {
        const uint32_t first = array_first(inner, line);
        for (; found; found &= found - 1) {
            const uint32_t entry = first + (uint32_t)__builtin_ctz(found);
            if (inner->word[entry])
                invalidate_entry(memsys, cpu, inner, entry, removal);
        }
        return;
    }
    for (; parts; parts &= parts - 1)
        region_invalidate(memsys, cpu, inner, line + ((paddr)__builtin_ctz(parts) << outer->part_shift),
                          1u << outer->part_shift, removal);
}

/* Back-invalidates the lines inside ENTRY of CACHE in the caches of CPU that DATA and INSN are. */
static void back_invalidate_both(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                                 struct array *data, struct array *insn, const struct removal *removal)
{
    const struct removal inner = {inner_reason(removal->why), removal->by_cpu, removal->dropped, removal->level};
    const paddr line = entry_line(cache, entry);
    const uint32_t parts = cache->inner[entry];
    if (parts & DATA_PARTS)
        back_invalidate_in(memsys, cpu, cache, data, line, parts & DATA_PARTS, &inner);
    if (parts & ~(uint32_t)DATA_PARTS)
        back_invalidate_in(memsys, cpu, cache, insn, line, parts >> 16, &inner);
}

/* A CPU of MEMBER: CPU, which causes something there, or the first one. */
static unsigned cpu_in_member(const struct tier *tier, unsigned member, unsigned cpu)
{
    return tier_member(tier, cpu) == member ? cpu : member;
}

/* The same in all members that share CACHE. */
static void back_invalidate_members(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                                    const struct removal *removal)
{
    struct directory_record *record = directory_at(&cache->home_of->directory, entry_line(cache, entry));
    const uint64_t home = tier_home(cache->home_of, cpu);
    for (uint64_t set = record->sharers & home; set;) {
        const unsigned in = cpu_in_member(cache->home_of, protocol_take_lowest(&set), cpu);
        struct array *const *caches = memsys->node[in].cache;
        back_invalidate_both(memsys, in, cache, entry, caches[cache->data->id],
                             cache->insn ? caches[cache->insn->id] : NULL, removal);
    }
    *record = directory_shared_by(record->sharers & ~home);
}

void node_back_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                          const struct removal *removal)
{
    if (SIM_UNLIKELY(cache->home_of != NULL))
        back_invalidate_members(memsys, cpu, cache, entry, removal);
    else
        back_invalidate_both(memsys, cpu, cache, entry, cache->data, cache->insn, removal);
}

/* Invalidates a region in the members that share CACHE, as REMOVAL says for them. */
static void invalidate_members(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                               const struct removal *removal)
{
    const struct tier *tier = cache->home_of;
    const uint64_t home = tier_home(tier, cpu);
    for (paddr offset = 0; offset < size; offset += coherence_block_size(tier)) {
        struct directory_record *record = directory_at(&cache->home_of->directory, start + offset);
        for (uint64_t set = record->sharers & home; set;) {
            const unsigned in = cpu_in_member(tier, protocol_take_lowest(&set), cpu);
            struct array *const *caches = memsys->node[in].cache;
            region_invalidate(memsys, in, caches[cache->data->id], start + offset, coherence_block_size(tier), removal);
            if (cache->insn)
                region_invalidate(memsys, in, caches[cache->insn->id], start + offset, coherence_block_size(tier),
                                  removal);
        }
        *record = directory_shared_by(record->sharers & ~home);
    }
}

/* Invalidates a region in the caches inside a non-inclusive CACHE, whether or not CACHE holds it. */
static void invalidate_independent(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                                   const struct removal *removal)
{
    const struct removal inner = {inner_reason(removal->why), removal->by_cpu, removal->dropped, removal->level};
    if (cache->home_of) {
        invalidate_members(memsys, cpu, cache, start, size, &inner);
        return;
    }
    if (cache->data)
        region_invalidate(memsys, cpu, cache->data, start, size, &inner);
    if (cache->insn)
        region_invalidate(memsys, cpu, cache->insn, start, size, &inner);
}

static void count_invalidation(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                               const struct removal *removal)
{
    struct array_counts *events = &memsys->node[cpu].events[cache->id];
    const bool last = cache->level == removal->level;
    if (last && removal->why == REMOVED_DMA)
        events->dma_invalidations++;
    else
        events->invalidations++;
    if (!last && entry_is_dirty(cache, entry) && !removal->dropped) {
        events->write_backs++;
        TELL(memsys, write, cpu, cache->id, entry_line(cache, entry), 1u << cache->line_shift);
        note_write_back(memsys, cpu, cache, entry_line(cache, entry));
    }
}

/* Invalidates ENTRY of CACHE, and the lines inside it. */
static void invalidate_entry(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                             const struct removal *removal)
{
    const paddr line = entry_line(cache, entry);
    if (cache->inner)
        node_back_invalidate(memsys, cpu, cache, entry, removal);
    count_invalidation(memsys, cpu, cache, entry, removal);
    array_invalidate(cache, entry);
    TELL(memsys, removal, cpu, cache->id, line, removal->why, removal->by_cpu);
}

static void region_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                              const struct removal *removal)
{
    const uint32_t line_size = 1u << cache->line_shift;
    for (uint32_t offset = 0; offset < size; offset += line_size) {
        uint32_t entry = array_find(cache, start + offset);
        if (entry != NO_ENTRY)
            invalidate_entry(memsys, cpu, cache, entry, removal);
    }
    if (!cache->inclusive)
        invalidate_independent(memsys, cpu, cache, start, size, removal);
}

static void region_clean(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                         unsigned level);

void node_disown_inside(const struct tier *tier, paddr address)
{
    const paddr block = coherence_block_of(tier, address);
    for (struct tier *inner = tier->inner; inner; inner = inner->inner)
        for (paddr offset = 0; offset < coherence_block_size(tier); offset += coherence_block_size(inner))
            directory_disown(directory_at(&inner->directory, block + offset));
}

/* Cleans the line of CACHE at LINE in the caches inside CACHE, as region_clean(). Of several members inside one owns
 * what is modified. */
static void clean_inside(struct memsys *memsys, unsigned cpu, const struct array *cache, paddr line, unsigned level)
{
    if (!cache->home_of) {
        region_clean(memsys, cpu, cache->data, line, 1u << cache->line_shift, level);
        return;
    }
    struct directory_record *record = directory_at(&cache->home_of->directory, line);
    if (record->modified) {
        const unsigned owner = cpu_in_member(cache->home_of, protocol_lowest(record->sharers), cpu);
        region_clean(memsys, owner, memsys->node[owner].cache[cache->data->id], line, 1u << cache->line_shift, level);
        directory_disown(record);
        node_disown_inside(cache->home_of, line);
    }
}

/* Cleans ENTRY of CACHE if it is dirty, after the lines inside it. LEVEL: of the outermost caches to be cleaned. The
 * caller accounts for their data, which go where the rest of the coherence block goes. */
static void clean_entry(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, unsigned level)
{
    const paddr line = entry_line(cache, entry);
    if (cache->through)
        array_withdraw_permission(cache, entry); /* stores pass it while the line is dirty outside */
    if (!entry_is_dirty(cache, entry))
        return;
    if (array_is_partial(cache, entry)) { /* such a line is always dirty: it leaves the cache */
        const struct removal removal = {.why = REMOVED_INVALIDATION, .by_cpu = cpu, .level = level};
        invalidate_entry(memsys, cpu, cache, entry, &removal);
        return;
    }
    if (cache->inclusive && cache->data)
        clean_inside(memsys, cpu, cache, line, level);
    cache->word[entry] = line | ENTRY_CLEAN;
    array_withdraw_permission(cache, entry);
    if (cache->level != level) {
        memsys->node[cpu].events[cache->id].write_backs++;
        TELL(memsys, write, cpu, cache->id, line, 1u << cache->line_shift);
    }
}

static void region_clean(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                         unsigned level)
{
    const uint32_t line_size = 1u << cache->line_shift;
    uint32_t found;
    if (cache->level == 1 && find_adjacent(cache, start, size, &found)) {
        for (const uint32_t first = array_first(cache, start); found; found &= found - 1)
            clean_entry(memsys, cpu, cache, first + (uint32_t)__builtin_ctz(found), level);
        return;
    }
    for (uint32_t offset = 0; offset < size; offset += line_size) {
        const uint32_t entry = array_find(cache, start + offset);
        if (entry != NO_ENTRY)
            clean_entry(memsys, cpu, cache, entry, level);
    }
    for (uint32_t offset = 0; !cache->inclusive && cache->data && offset < size; offset += line_size)
        clean_inside(memsys, cpu, cache, start + offset, level);
}

/* Whether a member of CPU's home in TIER has any of a region in state LOWEST or higher: clean, or modified. */
static bool members_have(const struct tier *tier, unsigned cpu, paddr start, uint32_t size, enum entry_state lowest)
{
    const uint64_t home = tier_home(tier, cpu);
    for (paddr offset = 0; offset < size; offset += coherence_block_size(tier)) {
        const struct directory_record record = directory_read(&tier->directory, start + offset);
        if (record.sharers & home && (lowest == ENTRY_CLEAN || record.modified))
            return true;
    }
    return false;
}

/* Whether CPU's CACHE, or a cache inside it, holds any of a region in state LOWEST or higher. */
static bool region_has(const struct array *cache, unsigned cpu, paddr start, uint32_t size, enum entry_state lowest)
{
    uint32_t found;
    if (cache->level == 1 && find_adjacent(cache, start, size, &found)) {
        for (const uint32_t first = array_first(cache, start); found; found &= found - 1)
            if (entry_state(cache, first + (uint32_t)__builtin_ctz(found)) >= lowest)
                return true;
        return false;
    }
    for (uint32_t offset = 0; offset < size; offset += 1u << cache->line_shift) {
        uint32_t entry = array_find(cache, start + offset);
        if (entry != NO_ENTRY && entry_state(cache, entry) >= lowest)
            return true;
    }
    if (cache->inclusive)
        return false;
    if (cache->home_of)
        return members_have(cache->home_of, cpu, start, size, lowest);
    return (cache->data && region_has(cache->data, cpu, start, size, lowest)) ||
           (cache->insn && region_has(cache->insn, cpu, start, size, lowest));
}

/* The outermost caches of MEMBER of TIER: of data or unified, and of instructions, or NULL. */
static struct array *outermost_data(const struct memsys *memsys, const struct tier *tier, unsigned member)
{
    return memsys->node[member].cache[data_cache(tier->level)];
}
static struct array *outermost_insn(const struct memsys *memsys, const struct tier *tier, unsigned member)
{
    struct array *insn = memsys->node[member].cache[insn_cache(tier->level)];
    return insn->word ? insn : NULL;
}

static bool node_has(const struct memsys *memsys, const struct tier *tier, unsigned member, paddr block,
                     enum entry_state lowest)
{
    const struct array *insn = outermost_insn(memsys, tier, member);
    return region_has(outermost_data(memsys, tier, member), member, block, coherence_block_size(tier), lowest) ||
           (insn && region_has(insn, member, block, coherence_block_size(tier), lowest));
}

enum entry_state node_highest_state(const struct memsys *memsys, const struct tier *tier, unsigned member, paddr block)
{
    return node_has(memsys, tier, member, block, ENTRY_DIRTY)   ? ENTRY_DIRTY
           : node_has(memsys, tier, member, block, ENTRY_CLEAN) ? ENTRY_CLEAN
                                                                : ENTRY_ABSENT;
}

void node_invalidate(struct memsys *memsys, struct tier *tier, unsigned member, paddr block,
                     const struct removal *removal)
{
    const struct removal within = {removal->why, removal->by_cpu, removal->dropped, tier->level};
    struct array *insn = outermost_insn(memsys, tier, member);
    struct directory_record *record = directory_at(&tier->directory, block);
    region_invalidate(memsys, member, outermost_data(memsys, tier, member), block, coherence_block_size(tier), &within);
    if (insn)
        region_invalidate(memsys, member, insn, block, coherence_block_size(tier), &within);
    directory_remove(record, member);
}

void node_clean(struct memsys *memsys, const struct tier *tier, unsigned member, paddr block)
{
    region_clean(memsys, member, outermost_data(memsys, tier, member), block, coherence_block_size(tier), tier->level);
}

struct directory_record node_clean_record(const struct memsys *memsys, unsigned member, paddr address)
{
    return protocol_sole_sharer(protocol_at(memsys, address), member);
}

void node_update_state(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    struct directory_record *record = directory_at(&tier->directory, address);
    const paddr block = coherence_block_of(tier, address);
    const unsigned member = tier_member(tier, cpu);
    bool modified = coherence_state(record, member) == COHERENCE_M;
    if (modified && node_has(memsys, tier, member, block, ENTRY_DIRTY))
        return;
    if (!node_has(memsys, tier, member, block, ENTRY_CLEAN))
        directory_remove(record, member);
    else if (modified)
        *record = node_clean_record(memsys, member, address);
}

void node_update_outer(struct memsys *memsys, const struct tier *tier, unsigned cpu, paddr address)
{
    for (struct tier *outer = tier->outer; outer; outer = outer->outer)
        if (outer->inclusive)
            continue;
        else if (is_in_current_block(memsys, outer, address))
            memsys->pending |= 1u << outer->number;
        else
            node_update_state(memsys, outer, cpu, address);
}

/* Holds for every memory system. */
static const struct shape any_shape = {0};

void node_evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, const struct removal *removal)
{
    node_evict_as(memsys, cpu, cache, entry, removal, false, false, &any_shape);
}

void node_take_victim(struct memsys *memsys, unsigned cpu, struct array *cache, paddr line, bool dirty)
{
    const struct removal removal = {.why = REMOVED_EVICTION, .by_cpu = cpu};
    uint32_t entry = array_find(cache, line);
    if (entry != NO_ENTRY) { /* from another cache inside, or it stayed when it was supplied */
        cache->word[entry] |= dirty ? ENTRY_DIRTY : ENTRY_CLEAN;
        array_touch(cache, entry);
        return;
    }
    entry = array_victim(cache, array_first(cache, line), cpu);
    if (cache->word[entry])
        node_evict_as(memsys, cpu, cache, entry, &removal, true, false, &any_shape);
    cache->word[entry] = line | (dirty ? ENTRY_DIRTY : ENTRY_CLEAN);
    if (cache->mapped)
        array_map_add(cache, line, entry);
    array_fill_order(cache, entry);
    TELL(memsys, fill, cpu, cache->id, line);
}

bool node_give_up(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, const struct array *inner,
                  bool store)
{
    const paddr line = entry_line(cache, entry);
    const bool dirty = entry_is_dirty(cache, entry);
    if (dirty && !store && (inner->insn_inside || (inner->next != cache && inner->next->home_of)))
        return false;
    if (dirty && !store && cache->home_of) {
        struct directory_record *record = directory_at(&cache->home_of->directory, line);
        if (tier_others(cache->home_of, record->sharers, cpu))
            return false;
        *record = directory_owned_by(tier_member(cache->home_of, cpu), COHERENCE_M);
    }
    array_invalidate(cache, entry);
    TELL(memsys, removal, cpu, cache->id, line, REMOVED_SUPPLIED, cpu);
    return dirty;
}

void node_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry)
{
    const paddr line = entry_line(cache, entry);
    if (!entry_is_dirty(cache, entry))
        return;
    if (array_is_partial(cache, entry)) { /* it cannot become clean */
        memsys->node[cpu].events[cache->id].invalidations++;
        node_evict(memsys, cpu, cache, entry, &(struct removal){.why = REMOVED_CACHE_OP, .by_cpu = cpu});
        return;
    }
    if (cache->inclusive && cache->data)
        clean_inside(memsys, cpu, cache, line, cache->level);
    node_write_outwards(memsys, cpu, cache, line, false, &any_shape);
    cache->word[entry] = line | ENTRY_CLEAN;
    array_withdraw_permission(cache, entry);
    node_update_state_after(memsys, cpu, cache, line, false, false, &any_shape);
}

void node_validate(struct array *cache, uint32_t entry, paddr address, uint32_t size)
{
    const paddr line = entry_line(cache, entry);
    if (cache->invalid)
        array_validate(cache, entry, address, size);
    for (struct array *outer = cache->next; outer; outer = outer->next)
        if (outer->invalid && outer->inclusive)
            array_validate(outer, array_find(outer, line & outer->line_mask), address, size);
}
