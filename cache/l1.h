/*
 * First-level caches: set-associative, true LRU, with a write permission and a quick-check byte (cache/memsys.h).
 *
 * A set is kept in order of recent use, invalid entries last: the first entry is the most recently used one, the last
 * the victim of the next fill. Only the first one's line can be used without changing that order, so a set has one
 * quick-check byte at a time. LINE arguments are line addresses (address & line_mask).
 */
#ifndef SIMOS_CACHE_L1_H
#define SIMOS_CACHE_L1_H

#include "cache/memsys.h"

#define L1_INVALID 1u /* an odd value never equals a line address */

/* The write tag equals the line's address only while the CPU may store without asking (the line is modified); otherwise
 * it is L1_INVALID. */
struct l1_cache {
    uint32_t *tag; /* line address or L1_INVALID, [set * ways + way] */
    uint32_t *write_tag;
    uint8_t **quick;      /* [set * ways + way]: the byte of the line, or a byte that nobody reads */
    uint8_t *last;        /* memsys_last_used; NULL: not used */
    uint8_t *front;       /* [set]: QUICK_WAY if that is the mark of the first entry's byte, else 0 */
    uint32_t line_mask;   /* ~(line size - 1) */
    uint32_t first_mask;  /* with first_shift: address to index of the set's first entry, in one shift and one mask */
    uint32_t first_shift; /* line_shift - log2(ways) */
    uint32_t ways;        /* 1, 2, 4, 8 */
    uint32_t way_shift;   /* its logarithm */
    uint32_t line_shift;
    uint32_t set_mask; /* number of sets - 1 */
    uint8_t nobody;
};

/* Index in tag and write_tag of the first entry of ADDRESS's set. */
static inline uint32_t l1_first(const struct l1_cache *l1, paddr address)
{
    return (address >> l1->first_shift) & l1->first_mask;
}

/* ENTRY's line is not known to the CPU any more. */
static inline void l1_forget_quick(struct l1_cache *l1, uint32_t entry)
{
    *l1->quick[entry] = QUICK_NONE;
    l1->quick[entry] = &l1->nobody;
}

/* Note in the order of the set that begins with FIRST which line the model used last. */
void l1_swap(struct l1_cache *l1, uint32_t first);
static inline void l1_settle(struct l1_cache *l1, uint32_t first)
{
    if (l1->last && (l1->last[first >> 1] ^ l1->front[first >> 1]) & QUICK_WAY)
        l1_swap(l1, first);
}
void l1_settle_all(struct l1_cache *l1);
void l1_report_use(struct l1_cache *l1, uint8_t *last);

/* The CPU may use the first line of the set that begins with entry FIRST as far as GRANT and the line allow, and finds
 * that in *BYTE. */
static inline void l1_set_quick(struct l1_cache *l1, uint32_t first, uint8_t *byte, uint8_t grant)
{
    uint8_t most = l1->write_tag[first] != L1_INVALID ? QUICK_WRITE : QUICK_READ;
    *l1->quick[first] = QUICK_NONE;
    l1->quick[first] = byte;
    *byte = grant & most;
    if (l1->last && *byte)
        *byte |= l1->front[first >> 1];
}

/* First-level caches of CPU, for whoever compares or checks them. */
struct l1_cache *memsys_l1i(struct memsys *memsys, unsigned cpu);
struct l1_cache *memsys_l1d(struct memsys *memsys, unsigned cpu);

/* What became of a line that was looked for. */
enum l1_found { L1_ABSENT, L1_CLEAN, L1_DIRTY };

#define L1_NOWHERE UINT32_MAX

/* An empty cache of SIZE bytes; SIZE, LINE (bytes, >= 8) and WAYS (1..8) powers of two, SIZE >= LINE * WAYS. Out of
 * memory aborts. */
void l1_init(struct l1_cache *l1, uint32_t size, uint32_t line, uint32_t ways);
void l1_release(struct l1_cache *l1);
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

/* Bring in LINE (absent before) as most recently used, modified if DIRTY; its quick-check byte comes afterwards. True
 * if the line that had to leave was modified. */
static inline bool l1_fill(struct l1_cache *l1, paddr line, bool dirty)
{
    uint32_t first = l1_first(l1, line);
    uint32_t *tag = l1->tag + first;
    uint32_t *write_tag = l1->write_tag + first;
    uint32_t last = l1->ways - 1;
    bool victim_dirty = write_tag[last] != L1_INVALID;
    l1_forget_quick(l1, first + last);
    if (l1->last)
        l1->last[first >> 1] = l1->front[first >> 1] ^= QUICK_WAY;
    else
        l1_forget_quick(l1, first);
    for (uint32_t way = last; way > 0; way--) {
        tag[way] = tag[way - 1];
        write_tag[way] = write_tag[way - 1];
        l1->quick[first + way] = l1->quick[first + way - 1];
    }
    l1->quick[first] = &l1->nobody;
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
