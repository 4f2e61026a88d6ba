#include "cache/state/array.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static void *need(void *memory, const struct cache_geometry *geometry)
{
    if (!memory)
        log_bug("out of memory for a cache of %u bytes", geometry->size);
    return memory;
}

void array_init(struct array *array, const struct cache_geometry *geometry, uint32_t seed, bool with_permissions,
                bool with_inner)
{
    const struct cache_geometry *g = geometry;
    const uint32_t sets = g->size / g->line / g->ways, entries = (sets << log2_rounded_up(g->ways)) + g->assist;
    memset(array, 0, sizeof *array);
    array->line_shift = (uint32_t)__builtin_ctz(g->line);
    array->line_mask = ~(g->line - 1);
    array->sets = sets;
    array->set_mask = sets - 1;
    array->hash_shift = log2_rounded_up(sets);
    array->sector_shift = log2_rounded_up(g->sector_lines);
    array->by_sets = modulo_by(sets);
    array->modulo = !array->by_sets.power_of_two;
    array->ways = g->ways;
    array->way_shift = log2_rounded_up(g->ways);
    array->order_shift = array->way_shift + array->sector_shift;
    /* one way: there is no choice, and the random generator stands still */
    array->policy = g->ways == 1 ? replacement_lru() : g->replacement;
    array->order_words = (uint8_t)(array->policy->words ? array->policy->words(g->ways) : 1);
    array->short_lru = array->policy->exact_lru && g->ways <= LRU_SHORT_WAYS;
    array->fill_is_use = !array->policy->touch || array->policy->fill == array->policy->touch;
    /* a set index of bits within the page offset is the same in virtual and physical addresses */
    array->by_virtual = g->by_virtual && (g->hashed || array->modulo || sets * g->line > PAGE_SIZE);
    array->hashed = g->hashed && sets > 1;
    array->by_space = g->by_space;
    array->space_shift = g->by_space ? (uint8_t)(PAGE_SHIFT - array->line_shift) : 0;
    array->through = g->through;
    array->allocate = g->allocate;
    array->validate = g->validate;
    array->allocates_words = g->allocate_words;
    array->inclusive = g->inclusive;
    array->exclusive = g->exclusive;
    array->random = seed ? seed : 1;
    array->slot_shift = array->policy->touch ? array->way_shift : 0;
    const size_t words = (entries * sizeof *array->word + 7) & ~(size_t)7,
                 histories = array_orders(array) * array->order_words * sizeof *array->order;
    char *memory = need(malloc(words + histories + (with_permissions ? entries * sizeof *array->permission : 0)), g);
    array->word = (uint32_t *)(void *)memory;
    array->order = (uint64_t *)(void *)(memory + words);
    if (with_permissions)
        array->permission = (uint8_t **)(void *)(memory + words + histories);
    if (with_inner)
        array->inner = need(malloc(entries * sizeof *array->inner), g);
    if (g->validate) {
        array->invalid_groups = (g->line / ARRAY_WORD + 63) / 64;
        array->invalid = need(calloc((size_t)entries * array->invalid_groups, sizeof *array->invalid), g);
    }
    for (uint32_t slot = 0; with_permissions && slot < entries; slot++)
        array->permission[slot] = &array->dummy_permission;
    array->assist = g->assist ? assist_create(g->assist) : NULL;
    array->mapped = array->by_virtual || array->assist;
    if (array->mapped) {
        const uint32_t heads = 1u << log2_rounded_up(sets << array->way_shift);
        array->map.mask = heads - 1;
        array->map.head = need(malloc(heads * sizeof *array->map.head), g);
        array->map.next = need(malloc(entries * sizeof *array->map.next), g);
    }
    array_clear(array);
}

void array_release(struct array *array)
{
    free(array->word);
    free(array->inner);
    free(array->invalid);
    free(array->map.head);
    free(array->map.next);
    assist_free(array->assist);
    memset(array, 0, sizeof *array);
}

void array_clear(struct array *array)
{
    uint32_t entries = array_entries(array);
    for (uint32_t entry = 0; array->permission && entry < entries; entry++)
        array_withdraw_permission(array, entry);
    memset(array->word, 0, entries * sizeof *array->word);
    if (array->inner)
        memset(array->inner, 0, entries * sizeof *array->inner);
    for (uint32_t set = 0; set < array_orders(array); set++)
        if (array->policy->initial)
            array->policy->initial(array->order + (size_t)set * array->order_words, array->ways);
        else
            array->order[set] = 0;
    for (uint32_t set = 0; array->mru && set < array->sets; set++)
        array->mru[set] = PERMIT_READ;
    for (uint32_t i = 0; array->mapped && i <= array->map.mask; i++)
        array->map.head[i] = NO_ENTRY;
    if (array->assist)
        assist_clear(array->assist);
}

void array_remap(struct array *array, uint32_t entry)
{
    if (array->mapped)
        array_map_add(array, entry_line(array, entry), entry);
}

uint32_t array_sector_line(const struct array *array, uint32_t entry)
{
    for (uint32_t nth = 0; nth < 1u << array->sector_shift; nth++)
        if (array->word[array_sector_entry(array, entry, nth)])
            return array_sector_entry(array, entry, nth);
    return NO_ENTRY;
}

bool array_shares_sector(const struct array *array, uint32_t entry)
{
    if (!array->sector_shift || array_is_assist(array, entry))
        return false;
    for (uint32_t nth = 0; nth < 1u << array->sector_shift; nth++) {
        const uint32_t other = array_sector_entry(array, entry, nth);
        if (other != entry && array->word[other])
            return true;
    }
    return false;
}

uint32_t array_sector_of(const struct array *array, uint32_t first, paddr line)
{
    const uint32_t size_shift = array->line_shift + array->sector_shift;
    for (uint32_t entry = first; entry < first + array->ways; entry++) {
        const uint32_t held = array_sector_line(array, entry);
        if (held != NO_ENTRY && entry_line(array, held) >> size_shift == line >> size_shift)
            return entry;
    }
    return NO_ENTRY;
}

/* The order of ENTRY's set of sectors changes: as far as hits matter to it, the lines of one sector had permission,
 * each in the slot of its set. */
static void withdraw_of_sector(struct array *array, uint32_t entry)
{
    for (uint32_t nth = 0; array->slot_shift && nth < 1u << array->sector_shift; nth++)
        array_withdraw_permission(array, array_sector_entry(array, entry, nth));
}

/* ENTRY of a sectored cache is hit, or filled beside other lines of its sector. */
static void touch_sector(struct array *array, uint32_t entry)
{
    uint64_t *order = array_order(array, entry >> array->order_shift), before[REPLACEMENT_WORDS];
    const size_t size = array->order_words * sizeof *order;
    memcpy(before, order, size);
    if (array->policy->touch)
        array->policy->touch(order, array->ways, array_way(array, entry));
    if (memcmp(before, order, size) != 0)
        withdraw_of_sector(array, entry);
}

/* ENTRY of a sectored cache was filled. */
static void fill_sector(struct array *array, uint32_t entry)
{
    if (array_shares_sector(array, entry)) {
        touch_sector(array, entry);
        return;
    }
    if (array->policy->fill)
        array->policy->fill(array_order(array, entry >> array->order_shift), array->ways, array_way(array, entry));
    withdraw_of_sector(array, entry);
}

void array_touch_order(struct array *array, uint32_t entry)
{
    if (array_is_assist(array, entry))
        return;
    if (SIM_UNLIKELY(array->sector_shift)) {
        touch_sector(array, entry);
        return;
    }
    uint32_t set = entry >> array->way_shift;
    uint64_t *order = &array->order[(size_t)set * array->order_words];
    unsigned way = array_way(array, entry);
    if (array->mru)
        array->mru[set] = way ? PERMIT_READ | PERMIT_WAY : PERMIT_READ;
    else if (array->short_lru)
        *order = lru_touch(*order, way);
    else if (array->policy->touch)
        array->policy->touch(order, array->ways, way);
}

void array_fill_order(struct array *array, uint32_t entry)
{
    if (SIM_UNLIKELY(array->sector_shift) && array->way_shift && !array_is_assist(array, entry))
        fill_sector(array, entry);
    else if (array->fill_is_use && array->policy->touch)
        array_touch(array, entry);
    else if (array->policy->fill && !array_is_assist(array, entry))
        array->policy->fill(array_order(array, entry >> array->way_shift), array->ways, array_way(array, entry));
}

bool array_record_mru(struct array *array, uint8_t *last)
{
    if (!array->policy->exact_lru || array->ways != 2 || array->mapped || array->hashed || !array->permission ||
        array->modulo || array->sector_shift || array->sets > MEMSYS_SETS_MAX)
        return false;
    for (uint32_t entry = 0; entry < array_entries(array); entry++)
        array_withdraw_permission(array, entry);
    for (uint32_t set = 0; set < array->sets; set++) {
        const uint64_t order = *array_order(array, set);
        if (last)
            last[set] = order & 0xf ? PERMIT_READ | PERMIT_WAY : PERMIT_READ;
    }
    array->mru = last;
    array->slot_shift = last ? 0 : array->way_shift;
    return true;
}

/* The victim, for a fill by CPU, of the set whose first entry is FIRST and whose order is ORDER. */
static uint32_t victim_of(const struct array *array, uint32_t first, unsigned cpu, uint64_t *order, uint32_t *random)
{
    if (array->short_lru && !array->partition) /* empty ways are in the LRU positions */
        return first + lru_victim(*order, array->ways);
    const uint32_t among = array->partition ? array->partition[cpu] : UINT32_MAX >> (32 - array->ways);
    for (uint32_t way = 0; (!array->policy->rank || array->partition) && way < array->ways; way++)
        if (!(among >> way & 1))
            continue;
        else if (array->sector_shift ? array_sector_line(array, first + way) == NO_ENTRY
                                     : array->word[first + way] == 0)
            return first + way;
    return first + array->policy->victim(order, array->ways, among, random);
}

uint32_t array_victim(struct array *array, uint32_t first, unsigned cpu)
{
    return victim_of(array, first, cpu, array_order(array, first >> array->order_shift), &array->random);
}

uint32_t array_next_victim(const struct array *array, uint32_t first, unsigned cpu)
{
    uint64_t order[REPLACEMENT_WORDS];
    uint32_t random = array->random;
    memcpy(order, array_order(array, first >> array->order_shift), array->order_words * sizeof *order);
    return victim_of(array, first, cpu, order, &random);
}

/* Puts LINE with STATE into ENTRY, which is empty, as the MRU line. Inner caches hold none of it. */
static void fill(struct array *array, uint32_t entry, paddr line, enum entry_state state)
{
    array->word[entry] = line | state;
    if (array->inner)
        array->inner[entry] = 0;
    if (SIM_UNLIKELY(array->invalid))
        array_validate_all(array, entry);
    if (SIM_UNLIKELY(array->mapped))
        array_map_add(array, line, entry);
    array_fill_order(array, entry);
}

void array_move(struct array *array, uint32_t from, uint32_t to)
{
    const uint32_t word = array->word[from];
    array_invalidate(array, from);
    fill(array, to, word & ~(uint32_t)ENTRY_STATE, word & ENTRY_STATE);
    array_withdraw_permission(array, to); /* of the line that was the MRU line of the set */
}

/* Words that are not valid */

/* Group GROUP of the words that the SIZE bytes at ADDRESS touch. */
static uint64_t touched(const struct array *array, paddr address, uint32_t size, uint32_t group)
{
    const paddr offset = address & ~array->line_mask;
    const uint32_t first = offset >> ARRAY_WORD_SHIFT, end = ((offset + size - 1) >> ARRAY_WORD_SHIFT) + 1;
    const uint32_t start = group * 64, low = first > start ? first - start : 0, high = end > start ? end - start : 0;
    if (low >= 64 || high <= low)
        return 0;
    return (high >= 64 ? UINT64_MAX : (UINT64_C(1) << high) - 1) & ~((UINT64_C(1) << low) - 1);
}

static uint64_t *groups_of(const struct array *array, uint32_t entry)
{
    return array->invalid + (size_t)entry * array->invalid_groups;
}

bool array_has_invalid(const struct array *array, uint32_t entry)
{
    const uint64_t *invalid = groups_of(array, entry);
    uint64_t any = 0;
    for (uint32_t group = 0; group < array->invalid_groups; group++)
        any |= invalid[group];
    return any != 0;
}

bool array_holds(const struct array *array, uint32_t entry, paddr address, uint32_t size)
{
    if (!array->invalid)
        return true;
    for (uint32_t group = 0; group < array->invalid_groups; group++)
        if (groups_of(array, entry)[group] & touched(array, address, size, group))
            return false;
    return true;
}

void array_validate(struct array *array, uint32_t entry, paddr address, uint32_t size)
{
    for (uint32_t group = 0; group < array->invalid_groups; group++)
        groups_of(array, entry)[group] &= ~touched(array, address, size, group);
}

void array_validate_all(struct array *array, uint32_t entry)
{
    memset(groups_of(array, entry), 0, array->invalid_groups * sizeof *array->invalid);
}

void array_validate_none(struct array *array, uint32_t entry)
{
    for (uint32_t group = 0; group < array->invalid_groups; group++)
        groups_of(array, entry)[group] = touched(array, 0, 1u << array->line_shift, group);
}
