/*
 * First-level caches: everything but the inline hit checks of cache/memsys.h.
 *
 * A set is kept in order of recent use, invalid entries last, so that the victim of a fill is always the last entry.
 * LINE arguments are line addresses (address & line_mask).
 */
#ifndef SIMOS_CACHE_L1_H
#define SIMOS_CACHE_L1_H

#include "cache/memsys.h"

/* What became of a line that was looked for. */
enum l1_found { L1_ABSENT, L1_CLEAN, L1_DIRTY };

#define L1_NOWHERE UINT32_MAX

/* An empty cache of SIZE bytes; SIZE, LINE (bytes, >= 8) and WAYS (1..8) powers of two, SIZE >= LINE * WAYS. Out of
 * memory aborts. */
void l1_init(struct l1_cache *l1, uint32_t size, uint32_t line, uint32_t ways);
void l1_release(struct l1_cache *l1);
/* Keep the tags in these arrays, of another owner, from now on. */
void l1_place(struct l1_cache *l1, uint32_t *tag, uint32_t *write_tag);
void l1_clear(struct l1_cache *l1);

/* Index of LINE's entry, or L1_NOWHERE. The order of use does not change. */
static inline uint32_t l1_find(const struct l1_cache *l1, paddr line)
{
    uint32_t first = l1_first(l1, line);
    const uint32_t *tag = l1->tag + first;
    uint32_t way = 0;
    do {
        if (tag[way] == line)
            return first + way;
    } while (++way < l1->ways);
    return L1_NOWHERE;
}

/* Make ENTRY the most recently used of its set; returns its new index. */
uint32_t l1_touch(struct l1_cache *l1, uint32_t entry);

/* Bring in LINE (absent before) as most recently used, modified if DIRTY. True if the line that had to leave was
 * modified. */
static inline bool l1_fill(struct l1_cache *l1, paddr line, bool dirty)
{
    uint32_t first = l1_first(l1, line);
    uint32_t *tag = l1->tag + first;
    uint32_t *write_tag = l1->write_tag + first;
    uint32_t last = l1->ways - 1;
    bool victim_dirty = write_tag[last] != L1_INVALID;
    for (uint32_t way = last; way > 0; way--) {
        tag[way] = tag[way - 1];
        write_tag[way] = write_tag[way - 1];
    }
    tag[0] = line;
    write_tag[0] = dirty ? line : L1_INVALID;
    return victim_dirty;
}

/* Take LINE out / take its write permission away. Says what it was. */
enum l1_found l1_remove(struct l1_cache *l1, paddr line);
enum l1_found l1_clean(struct l1_cache *l1, paddr line);

/* The same for all lines inside the OUTER_SIZE bytes from OUTER (a line of the next level: aligned to its size, which
 * is a power of two not below this line size). Returns how many were found; adds the modified ones to *DIRTY. */
uint32_t l1_remove_range(struct l1_cache *l1, paddr outer, uint32_t outer_size, uint64_t *dirty);
void l1_clean_range(struct l1_cache *l1, paddr outer, uint32_t outer_size, uint64_t *dirty);

#endif
