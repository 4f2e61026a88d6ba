/*
 * A set-associative tag array with a state a line and true LRU replacement.
 *
 * A set is kept in order of recent use, invalid entries last: the first entry of a set is the most recently used one,
 * the last one the victim of the next insertion. State 0 is "not there"; the meaning of the others is the protocol's.
 * Nothing here knows of CPUs, levels, time or data.
 */
#ifndef SIMOS_CACHE_TAGS_H
#define SIMOS_CACHE_TAGS_H

#include "src/types.h"

#define TAGS_INVALID 1u         /* an odd value never equals a line address */
#define TAGS_NOWHERE UINT32_MAX /* no such entry */

struct tags {
    paddr *tag;          /* line address or TAGS_INVALID, [set * ways + way] */
    uint8_t *state;      /* 0 exactly where the tag is TAGS_INVALID */
    uint32_t line_mask;  /* ~(line size - 1) */
    uint32_t set_mask;   /* number of sets - 1 */
    uint32_t line_shift; /* log2 of the line size */
    uint32_t way_shift;  /* log2 of ways */
    uint32_t ways;       /* power of two */
};

/* The line that left to make room; state 0 if none had to. */
struct tags_victim {
    paddr line;
    uint8_t state;
};

/* An empty array for SIZE bytes in lines of LINE bytes, WAYS a set: powers of two, SIZE >= LINE * WAYS, LINE >= 2. Out
 * of memory aborts. */
void tags_init(struct tags *tags, uint32_t size, uint32_t line, uint32_t ways);
void tags_release(struct tags *tags);
void tags_clear(struct tags *tags);

/* Number of entries, for loops over all of them. */
static inline uint32_t tags_entries(const struct tags *tags)
{
    return (tags->set_mask + 1) << tags->way_shift;
}

/* Index of the first entry of the set of ADDRESS. */
static inline uint32_t tags_first(const struct tags *tags, paddr address)
{
    return ((address >> tags->line_shift) & tags->set_mask) << tags->way_shift;
}

/* Index of the entry of LINE (a line address), or TAGS_NOWHERE. The order of use does not change. */
static inline uint32_t tags_find(const struct tags *tags, paddr line)
{
    uint32_t entry = tags_first(tags, line);
    if (SIM_LIKELY(tags->tag[entry] == line))
        return entry;
    for (uint32_t end = entry + tags->ways; ++entry < end;) {
        if (tags->tag[entry] == line)
            return entry;
    }
    return TAGS_NOWHERE;
}

/* Make ENTRY the most recently used of its set; returns its new index. */
uint32_t tags_move_to_front(struct tags *tags, uint32_t entry);
static inline uint32_t tags_touch(struct tags *tags, uint32_t entry)
{
    return entry & (tags->ways - 1) ? tags_move_to_front(tags, entry) : entry;
}

/* Insert LINE, absent before, with STATE (not 0) as most recently used. Returns what had to leave. */
struct tags_victim tags_insert(struct tags *tags, paddr line, uint8_t state);

/* Take ENTRY out; the other lines of the set keep their order. */
void tags_remove(struct tags *tags, uint32_t entry);

#endif
