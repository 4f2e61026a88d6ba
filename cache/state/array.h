/*
 * One cache: tags and states of a set-associative array, its replacement order, and pointers to the fast-path
 * permission bytes of its lines. Private to cache/. Independent of CPUs, other levels, protocols and time.
 *
 * An entry is one word: the line address with the state in its lowest two bits; 0 if the entry is empty. A line stays
 * in its way. A set has room for a power of two of entries, so that shifts and masks number them, whatever the number
 * of ways: entry number = set << way_shift | way. Those beyond the ways stay empty. The lines of an assist cache are
 * the entries behind those of the sets, and move from there into a set.
 *
 * In a sectored cache the lines of a sector, 1 << sector_shift of them, share an address tag (Liptay, "Structural
 * aspects of the System/360 Model 85, part II: The cache", IBM Systems Journal 7(1), 1968): they are in the same way of
 * sets that follow each other, a set of sectors, which has one replacement order. A line is found in its own set as
 * everywhere; only the choice of a way asks for sectors (array_sector_of). Each line has its own state.
 */
#ifndef SIMOS_CACHE_STATE_ARRAY_H
#define SIMOS_CACHE_STATE_ARRAY_H

#include "cache/state/assist.h"
#include "cache/state/modulo.h"
#include "cache/state/geometry.h"
#include "cache/memsys.h"
#include "cache/state/replacement.h"

/* State of an entry, a bit mask: a dirty line has one bit more than a clean one. The values equal the permissions of
 * enum memsys_permission. */
enum entry_state { ENTRY_ABSENT = 0, ENTRY_CLEAN = 1, ENTRY_MODIFIED = 2, ENTRY_DIRTY = 3, ENTRY_STATE = 3 };

#define NO_ENTRY UINT32_MAX

/* Events of one cache, caused by one CPU, since its creation. */
struct array_counts {
    uint64_t misses[3]; /* by enum memsys_access */
    uint64_t write_backs, invalidations, dma_invalidations, aliases;
    uint64_t allocations; /* lines allocated without a read; the last member, see memsys_saved.c */
};

/* Chains of entries by physical line address, to find a line when its physical address does not determine the set. */
struct line_map {
    uint32_t *head, *next; /* entry numbers or NO_ENTRY; NULL: not used */
    uint32_t mask;
};

struct array {
    /* [entry]; order and permission follow in the same allocation, at offsets that depend on the geometry */
    uint32_t *word;
    uint64_t *order; /* [set of sectors * order_words]: see replacement.h */
    uint8_t *mru;    /* [set]: mru of struct memsys_fast_model, which replaces order. NULL: order is valid */
    /* [slot]: permission byte of the line that may have permission; never NULL, perhaps &dummy_permission */
    uint8_t **permission;
    /* [entry]: the parts of the line that inner caches may hold (bits 0-15 data, 16-31 instructions) */
    uint32_t *inner;
    uint32_t line_shift;   /* log2 of the line size */
    uint32_t line_mask;    /* ~(line size - 1) */
    uint32_t sets;         /* of lines */
    uint32_t set_mask;     /* sets - 1, if `modulo` is false */
    uint32_t hash_shift;   /* log2 of sets, rounded up */
    uint32_t sector_shift; /* log2 of the lines in a sector; 0: not sectored */
    struct modulo by_sets; /* division by sets */
    uint32_t ways;
    uint32_t way_shift;   /* log2 of the entries of a set: of ways, rounded up */
    uint32_t order_shift; /* entry >> order_shift is its set of sectors */
    /* entry >> slot_shift is its slot: one a set, or one a line where a hit does not change the replacement order */
    uint32_t slot_shift;
    uint32_t part_shift; /* log2 of the size of a part of a line, one bit of inner */
    uint32_t random;     /* state of the random generator */
    const struct replacement *policy;
    uint8_t order_words;
    const uint32_t *partition; /* [cpu]: the ways that its fills take, a bit mask; NULL: all */
    bool short_lru;            /* order is a list of up to LRU_SHORT_WAYS ways in true LRU */
    bool fill_is_use;          /* a hit changes nothing after the fill of its line */
    bool by_virtual;           /* virtually indexed */
    bool mapped;               /* the physical address does not determine the set: a line is found by MAP */
    bool hashed;
    bool modulo;         /* the sets are not a power of two: the set is a remainder, not bits of the address */
    bool by_space;       /* the address space selects the set, too */
    uint8_t space_shift; /* log2 of the lines in a page */
    bool through, allocate, inclusive;
    bool exclusive;            /* not inclusive: gets the lines that the next inner cache evicts (node_take_victim) */
    bool validate;             /* a store miss allocates the line without reading it */
    bool allocates_words;      /* so does a store that is passed on, if it writes a whole word: the lines are words */
    uint8_t id;                /* enum memsys_cache */
    uint8_t level;             /* 1.. */
    uint8_t dummy_permission;  /* dummy permission byte */
    struct array *next;        /* next outer cache; NULL: memory */
    struct array *data, *insn; /* the inner caches whose misses come here; DATA if one cache holds both. If there are
                                * several members inside: those of the first */
    struct tier *tier;         /* which keeps the coherence states of its lines (engine.h) */
    struct tier *home_of;      /* the tier inside, whose members share this cache; NULL: one CPU's */
    bool insn_inside;          /* is `insn` of the next outer cache */
    cycles hit_time;           /* stall of an access that hits here, in all; unused in level 1 */
    struct line_map map;
    /* [entry * invalid_groups]: a bit for each word of the line that is not valid (write_allocate=validate): 64 words
     * a group. NULL: the lines are always entirely valid */
    uint64_t *invalid;
    uint32_t invalid_groups;
    struct assist *assist;           /* NULL: no assist cache */
    struct classify_cache *classify; /* classification of its misses (cache/classify/classify.h), or NULL */
};

/* Initialises an empty array of GEOMETRY with random seed SEED. WITH_PERMISSIONS: the lines have permission bytes.
 * WITH_INNER: the array records what inner caches hold. Out of memory aborts. */
void array_init(struct array *array, const struct cache_geometry *geometry, uint32_t seed, bool with_permissions,
                bool with_inner);
void array_release(struct array *array);
/* Empties all entries, clears all permission bytes and resets the replacement order. The random generator keeps its
 * state. */
void array_clear(struct array *array);

/* Number of entries in sets. */
static inline uint32_t array_set_entries(const struct array *array)
{
    return array->sets << array->way_shift;
}

/* Number of all entries. */
static inline uint32_t array_entries(const struct array *array)
{
    return array_set_entries(array) + (array->assist ? array->assist->lines : 0);
}

/* Number of lines that fit. */
static inline uint32_t array_lines(const struct array *array)
{
    return array->sets * array->ways + (array->assist ? array->assist->lines : 0);
}

/* Number of replacement orders: of sets of sectors. */
static inline uint32_t array_orders(const struct array *array)
{
    return array->sets >> array->sector_shift;
}

/* Whether ENTRY is beyond the ways of its set. */
static inline bool array_is_beyond_ways(const struct array *array, uint32_t entry)
{
    return entry < array_set_entries(array) && (entry & ((1u << array->way_shift) - 1)) >= array->ways;
}

/* The way of ENTRY, which is in a set. */
static inline uint32_t array_way(const struct array *array, uint32_t entry)
{
    return entry & ((1u << array->way_shift) - 1);
}

/* Whether ENTRY is a line of the assist cache. */
static inline bool array_is_assist(const struct array *array, uint32_t entry)
{
    return SIM_UNLIKELY(array->assist != NULL) && entry >= array_set_entries(array);
}

/* The first entry of the set that lines of NUMBER select (address / line size, with the address space if that counts).
 */
static inline uint32_t array_first_of_number(const struct array *array, uint32_t number)
{
    if (array->hashed)
        number ^= number >> array->hash_shift << array->sector_shift;
    return (SIM_UNLIKELY(array->modulo) ? modulo_of(&array->by_sets, number) : number & array->set_mask)
           << array->way_shift;
}

/* The first entry of the set that physical ADDRESS selects in ARRAY, which is not virtually indexed. */
static inline uint32_t array_first(const struct array *array, paddr address)
{
    return array_first_of_number(array, address >> array->line_shift);
}

/* The first entry of the set that REQUEST selects, whatever the index: by its virtual address if virtually indexed,
 * else by its physical one; with hash=space its address space is XORed with the bits of the line number above the page
 * offset (Inouye et al. 1995, figure 2). Of REQUEST only the addresses and the space are used. */
static inline uint32_t array_first_of(const struct array *array, const struct memsys_request *request)
{
    const uint32_t space = array->by_space ? (uint32_t)request->space << array->space_shift : 0;
    const paddr address = array->by_virtual ? request->virtual_address : request->address;
    return array_first_of_number(array, address >> array->line_shift ^ space);
}

/* State of LINE in an entry WORD; ENTRY_ABSENT if the entry holds another line or none. */
static inline unsigned word_state(uint32_t word, paddr line)
{
    uint32_t state = word - line;
    return SIM_LIKELY(state - 1 < ENTRY_STATE) ? state : ENTRY_ABSENT;
}

static inline paddr entry_line(const struct array *array, uint32_t entry)
{
    return array->word[entry] & ~(uint32_t)ENTRY_STATE;
}

static inline unsigned entry_state(const struct array *array, uint32_t entry)
{
    return array->word[entry] & ENTRY_STATE;
}

static inline bool entry_is_dirty(const struct array *array, uint32_t entry)
{
    return array->word[entry] & ENTRY_MODIFIED;
}

/* The entry of LINE in the set whose first entry is FIRST, or NO_ENTRY. */
static inline uint32_t array_find_in(const struct array *array, uint32_t first, paddr line)
{
    const uint32_t *word = array->word + first;
    for (uint32_t way = 0; way < array->ways; way++)
        if (word_state(word[way], line))
            return first + way;
    return NO_ENTRY;
}

/* The head of the chain of LINE in ARRAY's map, which exists. */
static inline uint32_t *array_map_head(const struct array *array, paddr line)
{
    return &array->map.head[line >> array->line_shift & array->map.mask];
}

/* The entry of LINE in any set, or NO_ENTRY. */
static inline uint32_t array_find_mapped(const struct array *array, paddr line)
{
    uint32_t entry = *array_map_head(array, line);
    while (entry != NO_ENTRY && !word_state(array->word[entry], line))
        entry = array->map.next[entry];
    return entry;
}
static inline uint32_t array_find(const struct array *array, paddr line)
{
    if (SIM_UNLIKELY(array->mapped))
        return array_find_mapped(array, line);
    return array_find_in(array, array_first(array, line), line);
}

/* The entry that REQUEST hits, or NO_ENTRY: of the set that it selects, or of the assist cache. */
static inline uint32_t array_find_of(const struct array *array, const struct memsys_request *request)
{
    const paddr line = request->address & array->line_mask;
    const uint32_t entry = array_find_in(array, array_first_of(array, request), line);
    if (SIM_LIKELY(entry != NO_ENTRY || !array->assist))
        return entry;
    const uint32_t other = array_find_mapped(array, line);
    return other != NO_ENTRY && array_is_assist(array, other) ? other : NO_ENTRY;
}

/* The entry of line NTH of the sector that ENTRY is in. */
static inline uint32_t array_sector_entry(const struct array *array, uint32_t entry, uint32_t nth)
{
    const uint32_t mask = ((1u << array->sector_shift) - 1) << array->way_shift;
    return (entry & ~mask) | nth << array->way_shift;
}

/* An entry of the sector that ENTRY is in that has a line, or NO_ENTRY. */
uint32_t array_sector_line(const struct array *array, uint32_t entry);

/* Whether ENTRY, in a set or the assist cache, is in a sector with other lines. */
bool array_shares_sector(const struct array *array, uint32_t entry);

/* The entry for LINE, which is not in the set whose first entry is FIRST, in the sector that has other lines of LINE's
 * sector; NO_ENTRY if there is none. */
uint32_t array_sector_of(const struct array *array, uint32_t first, paddr line);

/* The MRU way of SET, if array->mru is in use: PERMIT_WAY or 0. */
static inline uint32_t array_mru_way(const struct array *array, size_t set)
{
    return array->mru[set] & PERMIT_WAY;
}

/* The replacement order of SET, of sectors, up to date whichever of the two representations is in use. */
static inline uint64_t *array_order(const struct array *array, uint32_t set)
{
    uint64_t *order = array->order + (size_t)set * array->order_words;
    if (array->mru)
        *order = array_mru_way(array, set) ? 0x01 : 0x10;
    return order;
}

/* An access hits ENTRY, or its line was just brought there: the order of its set changes as the policy has it. The
 * assist cache has no order. */
void array_touch_order(struct array *array, uint32_t entry);
void array_fill_order(struct array *array, uint32_t entry);
static inline void array_touch(struct array *array, uint32_t entry)
{
    if (array->way_shift)
        array_touch_order(array, entry);
}

/* The CPU model records the MRU line of each set in MRU (struct memsys_fast_model); if MRU is NULL it stops recording.
 * Clears all permission bytes. Returns false if this array does not support it. */
bool array_record_mru(struct array *array, uint8_t *last);

/* The victim, for a fill by CPU, of the set whose first entry is FIRST: the entry to fill next, empty or not; in a
 * sectored cache the whole sector of that entry has to leave. A fill follows. */
uint32_t array_victim(struct array *array, uint32_t first, unsigned cpu);
/* The same, with no effect. */
uint32_t array_next_victim(const struct array *array, uint32_t first, unsigned cpu);

/* Words (of ARRAY_WORD bytes) of the lines of an array with `invalid` words. */
enum { ARRAY_WORD_SHIFT = 2, ARRAY_WORD = 1 << ARRAY_WORD_SHIFT };

/* Whether a word of ENTRY is not valid. */
bool array_has_invalid(const struct array *array, uint32_t entry);
static inline bool array_is_partial(const struct array *array, uint32_t entry)
{
    return SIM_UNLIKELY(array->invalid != NULL) && array_has_invalid(array, entry);
}
/* Whether all words of ENTRY that the SIZE bytes at ADDRESS, within the line, touch are valid. */
bool array_holds(const struct array *array, uint32_t entry, paddr address, uint32_t size);
/* The words that the SIZE bytes at ADDRESS touch become valid; all words; none. Only for an array with `invalid`. */
void array_validate(struct array *array, uint32_t entry, paddr address, uint32_t size);
void array_validate_all(struct array *array, uint32_t entry);
void array_validate_none(struct array *array, uint32_t entry);

/* Makes LINE, in ENTRY, visible to array_find_mapped. */
static inline void array_map_add(struct array *array, paddr line, uint32_t entry)
{
    uint32_t *head = array_map_head(array, line);
    array->map.next[entry] = *head;
    *head = entry;
}

/* Moves the line in FROM, an entry of the assist cache, to TO, which is empty, as the MRU line of that set. */
void array_move(struct array *array, uint32_t from, uint32_t to);

/* Clears the fast-path permission of ENTRY, so that its next use calls the memory system. */
static inline void array_withdraw_permission(struct array *array, uint32_t entry)
{
    if (array->permission)
        *array->permission[entry >> array->slot_shift] = PERMIT_NONE;
    if (array->mru)
        array->mru[MEMSYS_WITHDRAWN] = 1;
}

/* Makes the line in ENTRY, which the caller wrote there directly, visible to array_find. */
void array_remap(struct array *array, uint32_t entry);

/* Removes ENTRY, which holds LINE, from ARRAY's map. */
static inline void array_unmap(struct array *array, paddr line, uint32_t entry)
{
    uint32_t *link = array_map_head(array, line);
    while (*link != entry)
        link = &array->map.next[*link];
    *link = array->map.next[entry];
}

/* Empties ENTRY and clears its permission byte. It, or its sector if nothing else is there, becomes the next victim of
 * its set. */
static inline void array_invalidate(struct array *array, uint32_t entry)
{
    array_withdraw_permission(array, entry);
    if (SIM_UNLIKELY(array->mapped))
        array_unmap(array, entry_line(array, entry), entry);
    array->word[entry] = 0;
    if (array_is_assist(array, entry) || (array->sector_shift && array_sector_line(array, entry) != NO_ENTRY))
        return;
    uint64_t *order = &array->order[(entry >> array->order_shift) * array->order_words];
    if (array->mru)
        array->mru[entry >> 1] = entry & 1 ? PERMIT_READ : PERMIT_READ | PERMIT_WAY;
    else if (array->short_lru && array->ways == 2)
        *order = entry & 1 ? 0x10 : 0x01;
    else if (array->short_lru && array->way_shift)
        *order = lru_empty(*order, array_way(array, entry), array->ways);
    else if (array->policy->empty && array->way_shift)
        array->policy->empty(order, array->ways, array_way(array, entry));
}

/* The bit of array->inner for the part of a line at ADDRESS; INSN: held by the instruction cache. */
static inline uint32_t array_inner_bit(const struct array *array, paddr address, bool insn)
{
    return 1u << (((address & ~array->line_mask) >> array->part_shift) + (insn ? 16 : 0));
}

#endif
