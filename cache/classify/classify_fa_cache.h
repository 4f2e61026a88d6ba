/*
 * The fully associative reference cache with true LRU replacement, which separates capacity from conflict misses (Hill
 * and Smith, "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38(12), 1989).
 *
 * A line that is present has an entry, and a use of it is one store: its timestamp goes into `used`, by entry. A CPU
 * model makes that store itself for a fast-path hit. The LRU order is computed only when a line has to be evicted, and
 * then for many lines at once: the least recently used lines go into a queue in the order of their timestamps. A line
 * at the head of the queue is evicted unless it has been used since it was queued. Timestamps never decrease, and every
 * line outside the queue has a later timestamp than all lines in it. The evicted line is therefore exactly the least
 * recently used one.
 *
 * Only `entry_of` is large. What is looked at for every line evicted, and many times for each that is sorted, has one
 * element an entry and stays in the host's caches.
 *
 * Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_FA_CACHE_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_FA_CACHE_H

#include "src/base/types.h"

#define FA_CACHE_NO_LINE UINT32_MAX
/* The number of no entry; entries are 1 to the capacity. */
enum { FA_CACHE_NO_ENTRY = 0 };

/* A line number is address >> log2(line size). */
struct fa_cache_use {
    cycles time;
    uint32_t line, entry; /* line number and entry */
};

struct fa_cache {
    uint32_t *entry_of; /* by line: its entry; FA_CACHE_NO_ENTRY: not present */
    cycles *used;       /* by entry: timestamp of its line's last use, increasing with every use */
    uint32_t *line_of;  /* by entry: its line; undefined for a free entry */
    uint32_t line_shift;
    uint32_t capacity, lines;
    uint32_t *free_entries; /* stack of capacity - lines */
    uint64_t *next, *end;   /* the unconsumed part of `queue` */
    uint64_t *usable_end;   /* equals end; equals next while entries are free and nothing needs to be evicted */
    /* capacity + 1 elements each: (timestamp - `base`) << FA_CACHE_ENTRY_BITS | entry; room is the sort buffer */
    uint64_t *queue, *room;
    cycles base;   /* subtracted from the timestamps in the queue */
    cycles oldest; /* lower bound of the timestamps of lines outside the queue */
};

/* Initialises an empty cache of CAPACITY lines (at most 1 << 24) of 1 << LINE_SHIFT bytes. Out of memory aborts. */
void fa_cache_init(struct fa_cache *fa_cache, uint32_t capacity, uint32_t line_shift);
void fa_cache_release(struct fa_cache *fa_cache);

enum { FA_CACHE_ENTRY_BITS = 25 };
static inline uint32_t fa_cache_entry_of_use(uint64_t use)
{
    return use & ((1u << FA_CACHE_ENTRY_BITS) - 1);
}

static inline bool fa_cache_holds(const struct fa_cache *fa_cache, uint32_t line)
{
    return fa_cache->entry_of[line] != FA_CACHE_NO_ENTRY;
}

/* Refills the queue, which is empty, at time NOW. All entries are in use. */
void fa_cache_fill_queue(struct fa_cache *fa_cache, cycles now);

/* The entry of the least recently used line at time NOW. All entries are in use. */
static inline uint32_t fa_cache_lru(struct fa_cache *fa_cache, cycles now)
{
    for (;;) {
        if (SIM_UNLIKELY(fa_cache->next == fa_cache->end))
            fa_cache_fill_queue(fa_cache, now);
        const uint64_t use = *fa_cache->next++;
        const uint32_t entry = fa_cache_entry_of_use(use);
        if (SIM_LIKELY(fa_cache->used[entry] == fa_cache->base + (use >> FA_CACHE_ENTRY_BITS)))
            return entry;
    }
}

/* Inserts LINE, which is not present, at TIME, which is later than all times before. Returns the line evicted for it,
 * or FA_CACHE_NO_LINE. */
static inline uint32_t fa_cache_insert(struct fa_cache *fa_cache, uint32_t line, cycles time)
{
    uint32_t victim = FA_CACHE_NO_LINE, entry;
    if (SIM_UNLIKELY(fa_cache->lines < fa_cache->capacity)) {
        entry = fa_cache->free_entries[fa_cache->capacity - 1 - fa_cache->lines++];
        if (fa_cache->lines == fa_cache->capacity)
            fa_cache->usable_end = fa_cache->end;
    } else {
        entry = fa_cache_lru(fa_cache, time);
        victim = fa_cache->line_of[entry];
        fa_cache->entry_of[victim] = FA_CACHE_NO_ENTRY;
    }
    fa_cache->line_of[entry] = line;
    fa_cache->entry_of[line] = entry;
    fa_cache->used[entry] = time;
    return victim;
}

/* Fast version of fa_cache_insert() for the usual case, in which the head of the queue is the line to evict: returns it
 * in *GONE. Returns false, without side effects, in other cases. */
static inline bool fa_cache_insert_fast(struct fa_cache *fa_cache, uint32_t line, cycles time, uint32_t *gone)
{
    if (SIM_UNLIKELY(fa_cache->next == fa_cache->usable_end))
        return false;
    const uint64_t use = *fa_cache->next;
    const uint32_t entry = fa_cache_entry_of_use(use), victim = fa_cache->line_of[entry];
    if (SIM_UNLIKELY(fa_cache->used[entry] != fa_cache->base + (use >> FA_CACHE_ENTRY_BITS)))
        return false;
    fa_cache->next++;
    fa_cache->entry_of[victim] = FA_CACHE_NO_ENTRY;
    fa_cache->used[entry] = time;
    fa_cache->line_of[entry] = line;
    fa_cache->entry_of[line] = entry;
    *gone = victim;
    return true;
}

/* Uses LINE at TIME if it is present; returns whether it is. */
static inline bool fa_cache_touch(struct fa_cache *fa_cache, uint32_t line, cycles time)
{
    const uint32_t entry = fa_cache->entry_of[line];
    if (SIM_UNLIKELY(entry == FA_CACHE_NO_ENTRY))
        return false;
    fa_cache->used[entry] = time;
    return true;
}

/* The same, but inserts it if it is not present. Returns the line evicted for it, or FA_CACHE_NO_LINE. */
static inline uint32_t fa_cache_use(struct fa_cache *fa_cache, uint32_t line, cycles time)
{
    return fa_cache_touch(fa_cache, line, time) ? FA_CACHE_NO_LINE : fa_cache_insert(fa_cache, line, time);
}

/* All lines present, sorted by time of use, *COUNT of them; the caller frees them. They determine all future results.
 * Out of memory aborts. */
struct fa_cache_use *fa_cache_lru_order(const struct fa_cache *fa_cache, uint32_t *count);

/* Empties the cache. */
void fa_cache_clear(struct fa_cache *fa_cache);

/* Removes LINE if it is present. */
void fa_cache_remove(struct fa_cache *fa_cache, uint32_t line);

#endif
