/*
 * The entries of a sparse directory: which blocks it has room for. Sets of ways in LRU order, for each home of a tier.
 * What an entry says is in struct directory. Private to cache/.
 */
#ifndef SIMOS_CACHE_STATE_SPARSE_H
#define SIMOS_CACHE_STATE_SPARSE_H

#include "src/base/types.h"

enum { SPARSE_ENTRIES_MAX = 1 << 24, SPARSE_WAYS_MAX = 64 };
/* In an element of a set: it is an entry, of the block in the other bits. */
enum { SPARSE_USED = 1 };

struct sparse {
    uint32_t sets, ways; /* 0 ways: the directory has an entry for every block */
    uint32_t line_shift, homes;
    paddr *block; /* [home][set][way], the most recently used way first; owned */
};

/* Empty directories of HOMES homes, each with ENTRIES entries (0: for every block) in sets of WAYS, for blocks of LINE
 * bytes. ENTRIES / WAYS is a power of two. */
void sparse_init(struct sparse *sparse, uint32_t homes, uint32_t entries, uint32_t ways, uint32_t line);
void sparse_release(struct sparse *sparse);
void sparse_clear(struct sparse *sparse);
/* How many elements `block` has. */
size_t sparse_size(const struct sparse *sparse);

/* The set of ADDRESS's block in the directory of HOME: `ways` elements. */
static inline paddr *sparse_set(const struct sparse *sparse, uint32_t home, paddr address)
{
    const uint32_t set = (address >> sparse->line_shift) & (sparse->sets - 1);
    return sparse->block + ((size_t)home * sparse->sets + set) * sparse->ways;
}

/* The way of ADDRESS's block in SET; `ways` if it has none. */
static inline uint32_t sparse_way(const struct sparse *sparse, const paddr *set, paddr address)
{
    const paddr sought = (address >> sparse->line_shift << sparse->line_shift) | SPARSE_USED;
    uint32_t way = 0;
    while (way < sparse->ways && set[way] != sought)
        way++;
    return way;
}

/* Makes WAY of SET the most recently used one, as that of ADDRESS's block. */
void sparse_use(const struct sparse *sparse, paddr *set, uint32_t way, paddr address);

#endif
