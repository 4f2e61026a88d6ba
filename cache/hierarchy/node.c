#include "cache/hierarchy/node.h"

#include "cache/classify/classify.h"
#include "cache/hierarchy/assist_fill.h"
#include "cache/state/response.h"
#include "cache/hierarchy/protocol.h"

/* A region is a block of memory aligned to its size, which is a power of two. */

static void region_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                              const struct removal *removal);

static enum memsys_removal inner_reason(enum memsys_removal why)
{
    return why == REMOVED_EVICTION ? REMOVED_BACK_INVALIDATION : why;
}

/* Finds the entries of CACHE, a physically indexed first level, with lines of the SIZE bytes from START: bit N of
 * *FOUND is entry N from the first entry of START's set on. The sets of a region are adjacent. For the last region of
 * the address space empty entries are found, too. Usually nothing is found: most regions evicted from the second level
 * were evicted from the first long before. Returns false if the geometry does not permit this search. */
static ALWAYS_INLINE bool find_adjacent(const struct array *cache, paddr start, uint32_t size, uint32_t *found)
{
    enum { MOST = 32 };
    const uint32_t lines = size >> cache->line_shift, count = lines << cache->way_shift;
    if (SIM_UNLIKELY(cache->hashed || cache->mapped || lines - 1 > cache->set_mask || count % NODE_WORDS != 0 ||
                     count > MOST))
        return false;
    const uint32_t *word = cache->word + array_first(cache, start, start);
    node_words bits = {0};
    if (SIM_LIKELY(count == NODE_SIXTEEN))
        bits = node_find_sixteen(word, start, size, 1);
    else
        for (uint32_t i = 0; i < count; i += NODE_WORDS)
            bits |= node_find_words(word + i, start, size, 1u << i);
    *found = node_all_bits(bits);
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
        const uint32_t first = array_first(inner, line, line);
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

/* Back-invalidates the lines inside ENTRY of CACHE. */
static void back_invalidate(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                            const struct removal *removal)
{
    const struct removal inner = {inner_reason(removal->why), removal->by_cpu, removal->dropped};
    const paddr line = entry_line(cache, entry);
    const uint32_t parts = cache->inner[entry];
    if (parts & DATA_PARTS)
        back_invalidate_in(memsys, cpu, cache, cache->data, line, parts & DATA_PARTS, &inner);
    if (parts & ~(uint32_t)DATA_PARTS)
        back_invalidate_in(memsys, cpu, cache, cache->insn, line, parts >> 16, &inner);
}

/* Invalidates a region in the caches inside a non-inclusive CACHE, whether or not CACHE holds it. */
static void invalidate_independent(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size,
                                   const struct removal *removal)
{
    const struct removal inner = {inner_reason(removal->why), removal->by_cpu, removal->dropped};
    if (cache->data)
        region_invalidate(memsys, cpu, cache->data, start, size, &inner);
    if (cache->insn)
        region_invalidate(memsys, cpu, cache->insn, start, size, &inner);
}

static void count_invalidation(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry,
                               const struct removal *removal)
{
    bool last = cache->next == NULL;
    if (last && removal->why == REMOVED_DMA)
        cache->counts.dma_invalidations++;
    else
        cache->counts.invalidations++;
    if (!last && entry_is_dirty(cache, entry) && !removal->dropped) {
        cache->counts.write_backs++;
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
        back_invalidate(memsys, cpu, cache, entry, removal);
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

static void region_clean(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size);

/* Cleans ENTRY of CACHE if it is dirty, after the lines inside it. The caller accounts for the data, which go where the
 * rest of the coherence block goes. */
static void clean_entry(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry)
{
    const paddr line = entry_line(cache, entry);
    if (!entry_is_dirty(cache, entry))
        return;
    if (array_is_partial(cache, entry)) { /* such a line is always dirty: it leaves the cache */
        const struct removal removal = {.why = REMOVED_INVALIDATION, .by_cpu = cpu};
        invalidate_entry(memsys, cpu, cache, entry, &removal);
        return;
    }
    if (cache->inclusive && cache->data)
        region_clean(memsys, cpu, cache->data, line, 1u << cache->line_shift);
    cache->word[entry] = line | ENTRY_CLEAN;
    array_withdraw_permission(cache, entry);
    if (cache->next) {
        cache->counts.write_backs++;
        TELL(memsys, write, cpu, cache->id, line, 1u << cache->line_shift);
    }
}

static void region_clean(struct memsys *memsys, unsigned cpu, struct array *cache, paddr start, uint32_t size)
{
    const uint32_t line_size = 1u << cache->line_shift;
    uint32_t found;
    if (cache->level == 1 && find_adjacent(cache, start, size, &found)) {
        for (const uint32_t first = array_first(cache, start, start); found; found &= found - 1)
            clean_entry(memsys, cpu, cache, first + (uint32_t)__builtin_ctz(found));
        return;
    }
    for (uint32_t offset = 0; offset < size; offset += line_size) {
        const uint32_t entry = array_find(cache, start + offset);
        if (entry != NO_ENTRY)
            clean_entry(memsys, cpu, cache, entry);
    }
    if (!cache->inclusive && cache->data)
        region_clean(memsys, cpu, cache->data, start, size);
}

/* Whether CACHE, or a cache inside it, holds any of a region in state LOWEST or higher. */
static bool region_has(const struct array *cache, paddr start, uint32_t size, enum entry_state lowest)
{
    for (uint32_t offset = 0; offset < size; offset += 1u << cache->line_shift) {
        uint32_t entry = array_find(cache, start + offset);
        if (entry != NO_ENTRY && entry_state(cache, entry) >= lowest)
            return true;
    }
    return !cache->inclusive && ((cache->data && region_has(cache->data, start, size, lowest)) ||
                                 (cache->insn && region_has(cache->insn, start, size, lowest)));
}

static bool node_has(const struct memsys *memsys, unsigned cpu, paddr block, enum entry_state lowest)
{
    const struct node *node = &memsys->node[cpu];
    return region_has(node->last[0], block, coherence_block_size(memsys), lowest) ||
           (node->last[1] && region_has(node->last[1], block, coherence_block_size(memsys), lowest));
}

enum entry_state node_highest_state(const struct memsys *memsys, unsigned cpu, paddr block)
{
    return node_has(memsys, cpu, block, ENTRY_DIRTY)   ? ENTRY_DIRTY
           : node_has(memsys, cpu, block, ENTRY_CLEAN) ? ENTRY_CLEAN
                                                       : ENTRY_ABSENT;
}

void node_invalidate(struct memsys *memsys, unsigned cpu, paddr block, const struct removal *removal)
{
    struct node *node = &memsys->node[cpu];
    uint32_t *record = directory_at(&memsys->directory, block);
    region_invalidate(memsys, cpu, node->last[0], block, coherence_block_size(memsys), removal);
    if (node->last[1])
        region_invalidate(memsys, cpu, node->last[1], block, coherence_block_size(memsys), removal);
    *record = directory_without(*record, cpu);
}

void node_clean(struct memsys *memsys, unsigned cpu, paddr block)
{
    region_clean(memsys, cpu, memsys->node[cpu].last[0], block, coherence_block_size(memsys));
}

/* Directory entry of a block that CPU owned and wrote back. */
static uint32_t clean_record(const struct memsys *memsys, unsigned cpu, paddr address)
{
    return protocol_sole_sharer(protocol_at(memsys, address), cpu);
}

void node_update_state(struct memsys *memsys, unsigned cpu, paddr address)
{
    uint32_t *record = directory_at(&memsys->directory, address);
    const paddr block = coherence_block_of(memsys, address);
    bool modified = coherence_state(*record, cpu) == COHERENCE_M;
    if (modified && node_has(memsys, cpu, block, ENTRY_DIRTY))
        return;
    if (!node_has(memsys, cpu, block, ENTRY_CLEAN))
        *record = directory_without(*record, cpu);
    else if (modified)
        *record = clean_record(memsys, cpu, address);
}

/* Writes the modified LINE, which CACHE evicts or cleans, to the next level that takes it. */
static void write_outwards(struct memsys *memsys, unsigned cpu, struct array *cache, paddr line)
{
    const uint32_t size = 1u << cache->line_shift;
    cache->counts.write_backs++;
    TELL(memsys, write, cpu, cache->id, line, size);
    note_write_back(memsys, cpu, cache, line);
    for (struct array *outer = cache->next; outer; outer = outer->next) {
        if (outer->inclusive)
            return; /* marked dirty at the store */
        uint32_t entry = array_find(outer, line & outer->line_mask);
        if (entry != NO_ENTRY) {
            outer->word[entry] |= ENTRY_DIRTY;
            return;
        }
        TELL(memsys, write, cpu, outer->id, line, size);
    }
    memsys->write_backs++;
    note_reached_memory(memsys, cpu);
}

/* Updates the coherence state after LINE left CACHE, or became clean in it. */
static void update_state_after(struct memsys *memsys, unsigned cpu, const struct array *cache, paddr line, bool left)
{
    if (!memsys->last_level_inclusive) {
        if (coherence_block_of(memsys, line) == memsys->current_block)
            memsys->state_update_pending = true;
        else
            node_update_state(memsys, cpu, line);
    } else if (cache->next == NULL) {
        uint32_t *record = directory_at(&memsys->directory, line);
        *record = left ? directory_without(*record, cpu) : clean_record(memsys, cpu, line);
    }
}

void node_evict(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry, const struct removal *removal)
{
    const paddr line = entry_line(cache, entry);
    if (cache->inner)
        back_invalidate(memsys, cpu, cache, entry, removal);
    if (entry_is_dirty(cache, entry) && !removal->dropped)
        write_outwards(memsys, cpu, cache, line);
    array_invalidate(cache, entry);
    TELL(memsys, removal, cpu, cache->id, line, removal->why, removal->by_cpu);
    update_state_after(memsys, cpu, cache, line, true);
}

void node_write_back(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t entry)
{
    const paddr line = entry_line(cache, entry);
    if (!entry_is_dirty(cache, entry))
        return;
    if (array_is_partial(cache, entry)) { /* it cannot become clean */
        cache->counts.invalidations++;
        node_evict(memsys, cpu, cache, entry, &(struct removal){.why = REMOVED_CACHE_OP, .by_cpu = cpu});
        return;
    }
    if (cache->inclusive && cache->data)
        region_clean(memsys, cpu, cache->data, line, 1u << cache->line_shift);
    write_outwards(memsys, cpu, cache, line);
    cache->word[entry] = line | ENTRY_CLEAN;
    array_withdraw_permission(cache, entry);
    update_state_after(memsys, cpu, cache, line, false);
}

uint32_t node_fill(struct memsys *memsys, unsigned cpu, struct array *cache, const struct memsys_request *request,
                   enum entry_state state, uint32_t parent)
{
    const paddr address = request->address;
    uint32_t entry = SIM_UNLIKELY(cache->assist) ? assist_take_slot(memsys, cpu, cache, request)
                                                 : array_victim(cache, array_first_of(cache, request));
    if (cache->word[entry]) {
        const struct removal removal = {.why = REMOVED_EVICTION, .by_cpu = cpu};
        node_evict(memsys, cpu, cache, entry, &removal);
    }
    array_fill(cache, entry, address & cache->line_mask, state);
    if (parent != NO_ENTRY && cache->next->inner)
        cache->next->inner[parent] |= array_inner_bit(cache->next, address, cache == cache->next->insn);
    TELL(memsys, fill, cpu, cache->id, address & cache->line_mask);
    return entry;
}

/* Back-invalidates ENTRY of CACHE, a first level. NOTIFY: notify the classification. */
static ALWAYS_INLINE void back_invalidate_entry(struct array *cache, uint32_t entry, bool notify)
{
    const paddr line = entry_line(cache, entry);
    cache->counts.invalidations++;
    cache->counts.write_backs += cache->word[entry] / ENTRY_MODIFIED % 2;
    array_invalidate(cache, entry);
    if (notify)
        classified_removal(cache->classified, line, CAUSE_BACK_INVALIDATION);
}

/* Back-invalidates the lines of CACHE in PARTS, as in array->inner, of the line of OUTER at LINE. */
static OUT_OF_LINE void back_invalidate_parts(const struct array *outer, struct array *cache, paddr line,
                                              uint32_t parts, bool notify)
{
    const uint32_t part = 1u << outer->part_shift;
    for (; parts; parts &= parts - 1) {
        const paddr start = line + (paddr)__builtin_ctz(parts) * part;
        for (uint32_t offset = 0; offset < part; offset += 1u << cache->line_shift) {
            const uint32_t entry = array_find(cache, start + offset);
            if (entry != NO_ENTRY)
                back_invalidate_entry(cache, entry, notify);
        }
    }
}

static OUT_OF_LINE void back_invalidate_found(struct array *cache, paddr line, uint32_t found, bool notify)
{
    const uint32_t first = array_first(cache, line, line);
    for (; found; found &= found - 1) {
        const uint32_t entry = first + (uint32_t)__builtin_ctz(found);
        if (cache->word[entry])
            back_invalidate_entry(cache, entry, notify);
    }
}

static ALWAYS_INLINE void back_invalidate_in_quietly(const struct array *outer, struct array *cache, paddr line,
                                                     uint32_t parts, bool notify)
{
    uint32_t found;
    if (SIM_UNLIKELY(!find_adjacent(cache, line, 1u << outer->line_shift, &found)))
        back_invalidate_parts(outer, cache, line, parts, notify);
    else if (SIM_UNLIKELY(found))
        back_invalidate_found(cache, line, found, notify);
}

static ALWAYS_INLINE void back_invalidate_quietly(struct array *cache, uint32_t entry, bool notify)
{
    const paddr line = entry_line(cache, entry);
    const uint32_t parts = cache->inner[entry];
    if (parts & DATA_PARTS)
        back_invalidate_in_quietly(cache, cache->data, line, parts & DATA_PARTS, notify);
    if (parts & ~(uint32_t)DATA_PARTS)
        back_invalidate_in_quietly(cache, cache->insn, line, parts >> 16, notify);
}

void node_back_invalidate_unobserved(struct array *cache, uint32_t entry)
{
    back_invalidate_quietly(cache, entry, false);
}

static ALWAYS_INLINE uint32_t fill_quietly(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                                           enum entry_state state, bool notify)
{
    const uint32_t first = array_first(cache, address, address);
    const uint32_t entry = cache->ways == 1 ? first : array_victim(cache, first);
    const uint32_t word = cache->word[entry];
    if (word) {
        const paddr line = word & ~(uint32_t)ENTRY_STATE;
        back_invalidate_quietly(cache, entry, notify);
        cache->counts.write_backs += word / ENTRY_MODIFIED % 2;
        memsys->write_backs += word / ENTRY_MODIFIED % 2;
        uint32_t *record = directory_at(&memsys->directory, line);
        *record = directory_without(*record, cpu);
        if (notify)
            classified_removal(cache->classified, line, CAUSE_EVICTION);
    }
    cache->word[entry] = (address & cache->line_mask) | state;
    cache->inner[entry] = cache->inner_of_new_line;
    array_touch(cache, entry);
    return entry;
}

uint32_t node_fill_unobserved(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                              enum entry_state state)
{
    return fill_quietly(memsys, cpu, cache, address, state, false);
}

uint32_t node_fill_classified(struct memsys *memsys, unsigned cpu, struct array *cache, paddr address,
                              enum entry_state state, cycles time)
{
    uint32_t entry = fill_quietly(memsys, cpu, cache, address, state, true);
    classified_fill(cache->classified, address, time);
    return entry;
}

void node_mark_dirty(struct array *cache, uint32_t entry)
{
    const paddr line = entry_line(cache, entry);
    cache->word[entry] |= ENTRY_DIRTY;
    for (struct array *outer = cache->next; outer; outer = outer->next) {
        if (!outer->inclusive)
            continue;
        const paddr around = line & outer->line_mask;
        outer->word[array_find(outer, around)] |= ENTRY_DIRTY;
    }
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
