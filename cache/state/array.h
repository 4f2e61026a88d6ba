/*
 * One cache: tags and states of a set-associative array, what was used last, and the quick-check bytes of its lines.
 * Private to cache/. Nothing here knows of CPUs, other levels, protocols or time.
 *
 * An entry is one word: the line's address with the state in its lowest two bits, 0 if there is no line. Lines do not
 * move between the ways of a set. Entries are numbered set * ways + way.
 */
#ifndef SIMOS_CACHE_ARRAY_H
#define SIMOS_CACHE_ARRAY_H

#include "cache/state/geometry.h"
#include "cache/memsys.h"
#include "cache/state/replacement.h"

/* A dirty line has one bit more than a clean one; as in enum memsys_quick, what a CPU may do to a line that is so. */
enum entry_state { ENTRY_ABSENT = 0, ENTRY_CLEAN = 1, ENTRY_MODIFIED = 2, ENTRY_DIRTY = 3, ENTRY_STATE = 3 };

#define NO_ENTRY UINT32_MAX

/* Events of one cache since it was built. */
struct array_counts {
    uint64_t misses[3]; /* by enum memsys_access */
    uint64_t write_backs, invalidations, dma_invalidations, aliases;
};

/* Where a line is when its address does not tell: chains of entries, by the line's physical address. */
struct line_map {
    uint32_t *head, *next; /* an entry or NO_ENTRY; NULL: not used */
    uint32_t mask;
};

struct array {
    uint32_t *word;      /* history and quick lie behind it, each at a distance that follows from the geometry */
    uint64_t *history;   /* a set: see replacement.h */
    uint8_t *last;       /* a set: struct memsys_fast_path's; then history means nothing. NULL: the other way round */
    uint8_t **quick;     /* a slot: the byte of the line that may have one; never NULL, perhaps &nobody */
    uint32_t *inner;     /* an entry: which parts of the line inner caches may hold (bits 0-15 data, 16-31 insns) */
    uint32_t inner_new;  /* what that is for a line that has just come: 0, unless inner caches are filled unnoted */
    uint32_t line_shift; /* log2 of the line size */
    uint32_t line_mask;  /* ~(line size - 1) */
    uint32_t set_mask;   /* sets - 1 */
    uint32_t set_shift;  /* log2 of sets */
    uint32_t ways;
    uint32_t way_shift;  /* log2 of ways */
    uint32_t slot_shift; /* entry >> slot_shift is its slot: one a set, or one a line where use changes nothing */
    uint32_t part_shift; /* log2 of the part of a line that a bit of inner stands for */
    uint32_t random;     /* the generator's state */
    uint8_t policy;      /* enum replacement */
    bool by_virtual;     /* indexed by the virtual address */
    bool hashed;
    bool through, allocate, inclusive;
    uint8_t id;                /* enum memsys_cache */
    uint8_t level;             /* 1.. */
    uint8_t nobody;            /* a byte for those who have none */
    struct array *next;        /* outwards; NULL: memory */
    struct array *data, *insn; /* inwards: the caches whose next this is; one cache that holds both is DATA */
    cycles hit_time;           /* whole stall of an access that is found here; not for level 1 */
    struct line_map map;
    struct classified *classified; /* what is kept of its misses (cache/classify/classify.h), or NULL */
    struct array_counts counts;
};

/* An empty array of GEOMETRY, whose generator starts from SEED. WITH_QUICK: its lines have quick-check bytes.
 * WITH_INNER: it notes what inner caches hold. Out of memory aborts. */
void array_init(struct array *array, const struct cache_geometry *geometry, uint32_t seed, bool with_quick,
                bool with_inner);
void array_release(struct array *array);
/* Take everything out, quick bytes cleared, the history as in the beginning; the generator goes on. */
void array_clear(struct array *array);

static inline uint32_t array_entries(const struct array *array)
{
    return (array->set_mask + 1) << array->way_shift;
}

/* The first entry of the set that the addresses select. */
static inline uint32_t array_first(const struct array *array, paddr address, vaddr virtual_address)
{
    uint32_t number = (array->by_virtual ? virtual_address : address) >> array->line_shift;
    if (array->hashed)
        number ^= number >> array->set_shift;
    return (number & array->set_mask) << array->way_shift;
}

/* State of a word if it is LINE's, else ENTRY_ABSENT. */
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

/* LINE's entry among those of the set that begins with FIRST, or NO_ENTRY. */
static inline uint32_t array_find_in(const struct array *array, uint32_t first, paddr line)
{
    const uint32_t *word = array->word + first;
    for (uint32_t way = 0; way < array->ways; way++)
        if (word_state(word[way], line))
            return first + way;
    return NO_ENTRY;
}

/* LINE's entry wherever it is, or NO_ENTRY. */
uint32_t array_find_mapped(const struct array *array, paddr line);
static inline uint32_t array_find(const struct array *array, paddr line)
{
    if (SIM_UNLIKELY(array->by_virtual))
        return array_find_mapped(array, line);
    return array_find_in(array, array_first(array, line, line), line);
}

/* The way of SET that was used last, where array->last is kept: QUICK_WAY or 0. */
static inline uint32_t array_last_way(const struct array *array, size_t set)
{
    return array->last[set] & QUICK_WAY;
}

/* The history of SET, wherever it is kept. */
static inline uint64_t array_history(const struct array *array, uint32_t set)
{
    if (array->last)
        return array_last_way(array, set) ? 0x01 : 0x10;
    return array->history[set];
}

/* ENTRY is used. */
void array_touch_history(struct array *array, uint32_t entry);
static inline void array_touch(struct array *array, uint32_t entry)
{
    if (array->way_shift)
        array_touch_history(array, entry);
}

/* The model notes in LAST which line of a set it used last (struct memsys_fast_path), or no longer if LAST is NULL.
 * False: it cannot, for this array. */
bool array_note_use(struct array *array, uint8_t *last);

/* What inner caches have of its lines is not going to be noted from now on: they may have anything. */
void array_fill_unnoted(struct array *array);

/* The entry of the set beginning with FIRST that the next line goes to; it may hold one. */
uint32_t array_victim(struct array *array, uint32_t first);

/* LINE is in ENTRY now (empty before) with STATE, used; nothing of it is in inner caches. */
void array_put(struct array *array, uint32_t entry, paddr line, enum entry_state state);

/* Whoever could hit ENTRY without asking has to ask. */
static inline void array_forget_quick(struct array *array, uint32_t entry)
{
    if (array->quick)
        *array->quick[entry >> array->slot_shift] = QUICK_NONE;
    if (array->last)
        array->last[MEMSYS_LOST] = 1;
}

/* ENTRY's line was written there by somebody else: it can be found from now on. */
void array_remap(struct array *array, uint32_t entry);

/* Empty ENTRY; its quick byte is cleared. It is the next that its set fills. */
void array_unmap(struct array *array, paddr line, uint32_t entry);
static inline void array_take(struct array *array, uint32_t entry)
{
    uint64_t *history = &array->history[entry >> array->way_shift];
    array_forget_quick(array, entry);
    if (SIM_UNLIKELY(array->by_virtual))
        array_unmap(array, entry_line(array, entry), entry);
    array->word[entry] = 0;
    if (array->last)
        array->last[entry >> 1] = entry & 1 ? QUICK_READ : QUICK_READ | QUICK_WAY;
    else if (array->ways == 2)
        *history = array->policy != REPLACE_LRU ? *history : entry & 1 ? 0x10 : 0x01;
    else if (array->policy == REPLACE_LRU && array->way_shift)
        *history = lru_empty(*history, entry & (array->ways - 1), array->ways);
}

/* ENTRY's line may be used without asking as far as its state, and GRANT, allow; the byte for that is QUICK. */
static inline void array_grant(struct array *array, uint32_t entry, uint8_t *quick, unsigned grant)
{
    uint8_t **slot = &array->quick[entry >> array->slot_shift];
    unsigned most = grant & entry_state(array, entry);
    **slot = QUICK_NONE;
    *slot = quick;
    *quick = (uint8_t)(most && array->last && entry & 1 ? most | QUICK_WAY : most);
}

/* The bit of array->inner for the part of a line at ADDRESS, held by an instruction cache if INSN. */
static inline uint32_t array_inner_bit(const struct array *array, paddr address, bool insn)
{
    return 1u << (((address & ~array->line_mask) >> array->part_shift) + (insn ? 16 : 0));
}

#endif
