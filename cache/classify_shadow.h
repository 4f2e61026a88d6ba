/*
 * A fully associative cache with true LRU replacement: what tells capacity from conflict misses (Hill and Smith,
 * "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38(12), 1989).
 *
 * Using a line is a store: its time of use goes into `used`, by line number. Whoever hits without asking anybody may do
 * that store himself. The order of use is found only when a line has to be replaced: lines wait in the slots of a
 * hierarchical timing wheel by the time of use that they had when they were put there; one that comes up as the oldest
 * but has been used since goes back to where it belongs now. A time of use never falls, so the first line that comes
 * up in its own slot is the least recently used one, exactly.
 *
 * Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_SHADOW_H
#define SIMOS_CACHE_CLASSIFY_SHADOW_H

#include "src/types.h"

enum {
    SHADOW_FINE = 4,  /* lowest bits of a time of use, in which times may but seldom do differ alone */
    SHADOW_DIGIT = 8, /* bits of a time of use that one level of the wheel looks at */
    SHADOW_SLOTS = 1 << SHADOW_DIGIT,
    SHADOW_LEVELS = 8,
};
#define SHADOW_NOTHING UINT32_MAX

/* A place for a line. Lines are numbers here: address >> log2(line size). */
struct shadow_entry {
    uint32_t line; /* SHADOW_NOTHING: free */
    uint32_t
        next; /* entry in the same slot, or SHADOW_NOTHING, or SHADOW_NOWHERE: in none. A free entry may be in one */
};
#define SHADOW_NOWHERE (UINT32_MAX - 1)

struct shadow {
    cycles *used;       /* by line: time of the last use; rising with every use */
    uint32_t *entry_of; /* by line: its entry, if that entry says so too */
    struct shadow_entry *entries;
    uint64_t oldest; /* no line's time of use >> SHADOW_FINE is below it */
    uint32_t line_shift;
    uint32_t capacity, lines;
    uint32_t *free_entries;                            /* stack of capacity - lines */
    uint32_t words;                                    /* bit N: slots[N] is not 0 */
    uint64_t slots[SHADOW_LEVELS * SHADOW_SLOTS / 64]; /* a bit a slot, of all levels: it is not empty */
    uint32_t first[SHADOW_LEVELS * SHADOW_SLOTS];      /* entry, or SHADOW_NOTHING */
};

/* Empty, for CAPACITY lines of 1 << LINE_SHIFT bytes. Out of memory aborts. */
void shadow_init(struct shadow *shadow, uint32_t capacity, uint32_t line_shift);
void shadow_release(struct shadow *shadow);

static inline bool shadow_holds(const struct shadow *shadow, uint32_t line)
{
    return shadow->entries[shadow->entry_of[line]].line == line;
}

/* LINE is used at TIME, larger than all times before. If it was not there, it is now; returns the line that had to
 * leave for it, or SHADOW_NOTHING. */
uint32_t shadow_bring_in(struct shadow *shadow, uint32_t line, cycles time);
static inline uint32_t shadow_use(struct shadow *shadow, uint32_t line, cycles time)
{
    if (SIM_UNLIKELY(!shadow_holds(shadow, line)))
        return shadow_bring_in(shadow, line, time);
    shadow->used[line] = time;
    return SHADOW_NOTHING;
}

/* All lines that it holds, *COUNT of them, in the order of their use; the caller frees them. Results depend on nothing
 * else of it. Out of memory aborts. */
struct shadow_use {
    cycles time;
    uint32_t line;
};
struct shadow_use *shadow_uses(const struct shadow *shadow, uint32_t *count);

/* Everything leaves. */
void shadow_clear(struct shadow *shadow);

/* LINE leaves, if it is there. */
void shadow_remove(struct shadow *shadow, uint32_t line);

#endif
