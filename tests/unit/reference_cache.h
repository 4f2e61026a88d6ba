/*
 * Reference model, part 1: one cache, and the machine configuration. A cache is an array of entries with a time stamp
 * each, searched linearly.
 *
 * The reference (reference_*.h) is a second, deliberately simple model of the memory system, against which cache/ is
 * compared. It shares neither code nor data structures with cache/ (fast-path bytes, directory, order in the arrays);
 * it uses only the names in memsys.h and the form of the counts in classify.h.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_CACHE_H
#define SIMOS_TESTS_UNIT_REFERENCE_CACHE_H

#include "cache/classify/classify.h"
#include "cache/protocols.h"
#include "tests/unit/reference_map.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { REF_CPUS = 64, REF_LEVELS = 3, REF_UPDATE_RANGES = 2, REF_WAYS = 32, REF_WORD = 4 };

/* --- what a machine is made of ---------------------------------------------------------------------------------- */

struct ref_cache_settings {
    bool exists;
    uint32_t size, line, ways;
    uint32_t sector_lines; /* lines of a sector; 0 is 1 */
    unsigned replacement;  /* of ref_policies (reference_replacement.h); 0 is LRU */
    bool virtual_index, hashed, by_space, through, allocate, inclusive;
    uint32_t assist; /* lines of the assist cache; 0: none */
    bool validate;   /* a store that misses allocates the line, but does not read it */
    bool words;      /* with through, and lines of a word: a store of a whole one that misses becomes a line */
};

enum ref_prepare { REF_PREPARE_PREFETCHES, REF_PREPARE_ALLOCATES, REF_PREPARE_NOTHING, REF_PREPARES };

struct ref_settings {
    unsigned cpus, levels;
    bool split[REF_LEVELS + 1]; /* by level, from 1 */
    struct ref_cache_settings cache[MEMSYS_CACHES];
    enum ref_prepare prepare; /* pref 30 */
    enum memsys_protocol protocol;
    unsigned update_ranges;
    paddr update_first[REF_UPDATE_RANGES], update_last[REF_UPDATE_RANGES]; /* pages with an update protocol */
    bool upgrades_alone;
    uint32_t random_seed;
    cycles level_time[REF_LEVELS + 1]; /* hit times of levels 2 and 3 */
    cycles miss, upgrade, update, intervention, uncached;
    enum classify_mode classify;
};

/* The cache at LEVEL for instructions (INSN) or data. */
static inline enum memsys_cache ref_id(const struct ref_settings *s, unsigned level, bool insn)
{
    static const enum memsys_cache ids[REF_LEVELS][2] = {
        {MEMSYS_L1D, MEMSYS_L1I}, {MEMSYS_L2, MEMSYS_L2I}, {MEMSYS_L3, MEMSYS_L3I}};
    return ids[level - 1][insn && s->split[level]];
}

static inline unsigned ref_level(enum memsys_cache id)
{
    return 1 + (unsigned)id / 2;
}

static inline bool ref_is_insn(enum memsys_cache id)
{
    return id == MEMSYS_L1I || id == MEMSYS_L2I || id == MEMSYS_L3I;
}

/* --- a cache ---------------------------------------------------------------------------------------------------- */

struct ref_entry {
    bool valid, dirty;
    paddr line;
    /* in the assist cache: the virtual address and its space, which select the set that it moves to */
    vaddr virtual;
    uint8_t space;
    bool streamed; /* it does not move */
};

/* What the replacement policies know of a sector: of a line, unless the cache is sectored. */
struct ref_sector {
    uint64_t used, filled; /* times of last use and of fill */
    uint8_t prediction;    /* srrip */
};

enum ref_count {
    REF_INSN_MISSES,
    REF_READ_MISSES,
    REF_WRITE_MISSES,
    REF_WRITE_BACKS,
    REF_INVALIDATIONS,
    REF_DMA_INVALIDATIONS,
    REF_UPGRADES,
    REF_UPDATES,
    REF_UPDATES_RECEIVED,
    REF_COHERENCE_WRITE_BACKS,
    REF_INTERVENTIONS,
    REF_CLEAN_SUPPLIES,
    REF_ALIASES,
    REF_ASSIST_HITS,
    REF_ASSIST_MOVED,
    REF_ASSIST_DROPPED,
    REF_ALLOCATIONS,
    REF_COUNTS
};

struct ref_cache {
    struct ref_cache_settings s;
    enum memsys_cache id;
    uint32_t sets;              /* of lines: those of a set of sectors are adjacent */
    struct ref_entry *entries;  /* by set, the ways of a set adjacent; then the slots of the assist cache */
    struct ref_sector *sectors; /* by set of sectors */
    uint32_t next_slot;
    paddr *hints; /* lines hinted as streamed, oldest first; or REF_USED */
    uint32_t hint_count;
    bool *hole;             /* by word: it is not valid; words as the entries, s.line / 4 each */
    bool (*tree)[REF_WAYS]; /* pseudo-LRU: of each set of sectors, node 1 is the root, 2i and 2i+1 the children of i */
    uint32_t random;        /* state of the generator */
    uint64_t *clock;        /* incremented at each use of an entry */
    uint64_t count[REF_COUNTS];
};

static inline void ref_cache_make(struct ref_cache *c, const struct ref_settings *s, unsigned cpu, enum memsys_cache id,
                                  uint64_t *clock)
{
    c->s = s->cache[id];
    c->id = id;
    c->clock = clock;
    if (!c->s.exists)
        return;
    c->sets = c->s.size / c->s.line / c->s.ways;
    c->entries = calloc((size_t)c->sets * c->s.ways + c->s.assist, sizeof *c->entries);
    c->hints = calloc(c->s.assist + 1, sizeof *c->hints);
    if (c->s.sector_lines == 0)
        c->s.sector_lines = 1;
    c->sectors = calloc((size_t)c->sets / c->s.sector_lines * c->s.ways, sizeof *c->sectors);
    c->tree = calloc(c->sets / c->s.sector_lines, sizeof *c->tree);
    c->hole = c->s.validate ? calloc(c->s.size / REF_WORD, sizeof *c->hole) : NULL;
    c->random = 0x9e3779b9u ^ (cpu * 8 + id + 1) * 0x85ebca6bu ^ s->random_seed * 0xc2b2ae35u;
    if (c->random == 0)
        c->random = 1;
}

static inline void ref_cache_free(struct ref_cache *c)
{
    free(c->entries);
    free(c->sectors);
    free(c->tree);
    free(c->hints);
    free(c->hole);
}

static inline uint32_t ref_entries(const struct ref_cache *c)
{
    return c->sets * c->s.ways + c->s.assist;
}

static inline bool ref_is_assist(const struct ref_cache *c, const struct ref_entry *entry)
{
    return entry >= c->entries + (size_t)c->sets * c->s.ways;
}

static inline uint32_t ref_log2(uint32_t power)
{
    uint32_t result = 0;
    while (power >>= 1)
        result++;
    return result;
}

/* How many bits tell VALUES values apart. */
static inline uint32_t ref_bits_for(uint32_t values)
{
    uint32_t bits = 0;
    while (UINT64_C(1) << bits < values)
        bits++;
    return bits;
}

/* SPACE: the address space of VIRTUAL. With hash=space, its bits change those of the set above the page offset. */
static inline uint32_t ref_set_index(const struct ref_cache *c, paddr physical, vaddr virtual, uint8_t space)
{
    uint32_t number = (c->s.virtual_index ? virtual : physical) / c->s.line;
    if (c->s.by_space)
        number = (virtual ^ (uint32_t)space * PAGE_SIZE) / c->s.line;
    uint32_t sector = number / c->s.sector_lines, sets = c->sets / c->s.sector_lines;
    if (c->s.hashed)
        sector ^= sector >> ref_bits_for(sets);
    return sector % sets * c->s.sector_lines + number % c->s.sector_lines;
}

static inline struct ref_entry *ref_set(const struct ref_cache *c, paddr physical, vaddr virtual, uint8_t space)
{
    return c->entries + (size_t)ref_set_index(c, physical, virtual, space) * c->s.ways;
}

/* Line NTH of SECTOR. */
static inline struct ref_entry *ref_line_of_sector(const struct ref_cache *c, const struct ref_sector *sector,
                                                   uint32_t nth)
{
    const uint32_t number = (uint32_t)(sector - c->sectors);
    return c->entries + (number / c->s.ways * c->s.sector_lines + nth) * c->s.ways + number % c->s.ways;
}

/* The sector of ENTRY, which is in a set. */
static inline struct ref_sector *ref_sector_of_entry(const struct ref_cache *c, const struct ref_entry *entry)
{
    const uint32_t number = (uint32_t)(entry - c->entries);
    return c->sectors + number / c->s.ways / c->s.sector_lines * c->s.ways + number % c->s.ways;
}

/* A line in SECTOR; NULL if there is none. */
static inline struct ref_entry *ref_first_line(const struct ref_cache *c, const struct ref_sector *sector)
{
    for (uint32_t nth = 0; nth < c->s.sector_lines; nth++)
        if (ref_line_of_sector(c, sector, nth)->valid)
            return ref_line_of_sector(c, sector, nth);
    return NULL;
}

/* The entry that an access with these addresses hits; NULL: a miss. */
static inline struct ref_entry *ref_find_at(const struct ref_cache *c, paddr physical, vaddr virtual, uint8_t space)
{
    struct ref_entry *set = ref_set(c, physical, virtual, space);
    for (uint32_t way = 0; way < c->s.ways; way++)
        if (set[way].valid && set[way].line == physical / c->s.line * c->s.line)
            return &set[way];
    for (uint32_t i = c->sets * c->s.ways; i < ref_entries(c); i++)
        if (c->entries[i].valid && c->entries[i].line == physical / c->s.line * c->s.line)
            return &c->entries[i];
    return NULL;
}

/* The entry that holds PHYSICAL in any set. */
static inline struct ref_entry *ref_find(const struct ref_cache *c, paddr physical)
{
    if (!c->s.virtual_index)
        return ref_find_at(c, physical, physical, 0);
    for (uint32_t i = 0; i < ref_entries(c); i++)
        if (c->entries[i].valid && c->entries[i].line == physical / c->s.line * c->s.line)
            return &c->entries[i];
    return NULL;
}

/* --- words that are not valid ----------------------------------------------------------------------------------- */

/* Does ENTRY hold each of the SIZE bytes at ADDRESS? */
static inline bool ref_has_bytes(const struct ref_cache *c, const struct ref_entry *entry, paddr address, uint32_t size)
{
    const bool *hole = c->hole + (c->hole ? (size_t)(entry - c->entries) * c->s.line / REF_WORD : 0);
    for (uint32_t i = 0; c->hole && i < size; i++)
        if (hole[(address + i) % c->s.line / REF_WORD])
            return false;
    return true;
}

static inline bool ref_is_whole(const struct ref_cache *c, const struct ref_entry *entry)
{
    return ref_has_bytes(c, entry, entry->line, c->s.line);
}

/* The words of the SIZE bytes at ADDRESS become valid, or not. */
static inline void ref_make_holes(struct ref_cache *c, const struct ref_entry *entry, paddr address, uint32_t size,
                                  bool hole)
{
    for (uint32_t i = 0; c->hole && i < size; i++)
        c->hole[((size_t)(entry - c->entries) * c->s.line + (address + i) % c->s.line) / REF_WORD] = hole;
}

/* Find the entries that overlap the block of SIZE bytes at BLOCK; returns their number. */
enum { REF_INSIDE_MAX = 1024 / 4 };
static inline unsigned ref_inside(const struct ref_cache *c, paddr block, uint32_t size,
                                  struct ref_entry *inside[REF_INSIDE_MAX])
{
    unsigned count = 0;
    if (c->s.virtual_index) {
        for (uint32_t i = 0; i < ref_entries(c); i++)
            if (c->entries[i].valid && c->entries[i].line / size == block / size)
                inside[count++] = &c->entries[i];
        return count;
    }
    for (uint32_t offset = 0; offset < size; offset += c->s.line) {
        struct ref_entry *entry = ref_find_at(c, block + offset, 0, 0);
        if (entry)
            inside[count++] = entry;
    }
    return count;
}

/* --- hints of the assist cache ---------------------------------------------------------------------------------- */

/* LINE is hinted as streamed: remember that unless it is known. A hint is forgotten after as many others as there are
 * slots, used or not (REF_USED). */
enum { REF_USED = 1 };
static inline void ref_hint(struct ref_cache *c, paddr line)
{
    for (uint32_t i = 0; i < c->hint_count; i++)
        if (c->hints[i] == line)
            return;
    if (c->hint_count == c->s.assist)
        memmove(c->hints, c->hints + 1, --c->hint_count * sizeof *c->hints);
    c->hints[c->hint_count++] = line;
}

static inline bool ref_use_hint(struct ref_cache *c, paddr line)
{
    for (uint32_t i = 0; i < c->hint_count; i++)
        if (c->hints[i] == line) {
            c->hints[i] = REF_USED;
            return true;
        }
    return false;
}

#endif
