/*
 * A fully associative cache with true LRU replacement: what tells capacity from conflict misses (Hill and Smith,
 * "Evaluating Associativity in CPU Caches", IEEE Transactions on Computers 38(12), 1989).
 *
 * Using a line is a store: its time of use goes into `used`, by line number. Whoever hits without asking anybody may do
 * that store himself. The order of use is found only when a line has to be replaced, and then of many lines at once:
 * those used longest ago are put into a queue in the order of their times. A line leaves when the queue comes to it,
 * unless it has been used since it was put there. A time of use never falls, and every line that is not in the queue
 * was used later than all that are: so the line that leaves is the least recently used one, exactly.
 *
 * Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_SHADOW_H
#define SIMOS_CACHE_CLASSIFY_SHADOW_H

#include "src/base/types.h"

#define SHADOW_NOTHING UINT32_MAX

/* Lines are numbers here: address >> log2(line size). */
struct shadow_use {
    cycles time;
    uint32_t line, entry; /* which, and its entry */
};

struct shadow {
    cycles *used;       /* by line: time of the last use, rising with every use; 0: it is not there */
    uint32_t *entry_of; /* by line that is there: its entry */
    uint32_t *line_of;  /* by entry: its line; of a free one anything */
    uint32_t line_shift;
    uint32_t capacity, lines;
    uint32_t *free_entries; /* stack of capacity - lines */
    uint64_t *next, *end;   /* in `queue`: what is left of it */
    uint64_t *in_force;     /* end; while entries are free, so that nothing need leave, next */
    uint64_t *queue, *room; /* for capacity each: time of a use since `base` << SHADOW_ENTRY_BITS | entry */
    cycles base;            /* of the times in the queue */
    cycles oldest;          /* no line outside the queue was used before */
};

/* Empty, for CAPACITY lines (at most 1 << 24) of 1 << LINE_SHIFT bytes. Out of memory aborts. */
void shadow_init(struct shadow *shadow, uint32_t capacity, uint32_t line_shift);
void shadow_release(struct shadow *shadow);

enum { SHADOW_ENTRY_BITS = 24 };
static inline uint32_t shadow_entry_of_use(uint64_t use)
{
    return use & ((1u << SHADOW_ENTRY_BITS) - 1);
}

static inline bool shadow_holds(const struct shadow *shadow, uint32_t line)
{
    return shadow->used[line] != 0;
}

/* All entries are in use, it is NOW, and the queue is empty: fill it. */
void shadow_fill_queue(struct shadow *shadow, cycles now);

/* The entry of the least recently used line. All entries are in use, and it is NOW. */
static inline uint32_t shadow_oldest(struct shadow *shadow, cycles now)
{
    for (;;) {
        if (SIM_UNLIKELY(shadow->next == shadow->end))
            shadow_fill_queue(shadow, now);
        const uint64_t use = *shadow->next++;
        const uint32_t entry = shadow_entry_of_use(use);
        if (SIM_LIKELY(shadow->used[shadow->line_of[entry]] == shadow->base + (use >> SHADOW_ENTRY_BITS)))
            return entry;
    }
}

/* LINE, which is not there, is used at TIME, larger than all times before: it is there now. Returns the line that had
 * to leave for it, or SHADOW_NOTHING. */
static inline uint32_t shadow_bring_in(struct shadow *shadow, uint32_t line, cycles time)
{
    uint32_t victim = SHADOW_NOTHING, entry;
    if (SIM_UNLIKELY(shadow->lines < shadow->capacity)) {
        entry = shadow->free_entries[shadow->capacity - 1 - shadow->lines++];
        if (shadow->lines == shadow->capacity)
            shadow->in_force = shadow->end;
    } else {
        entry = shadow_oldest(shadow, time);
        victim = shadow->line_of[entry];
        shadow->used[victim] = 0;
    }
    shadow->line_of[entry] = line;
    shadow->entry_of[line] = entry;
    shadow->used[line] = time;
    return victim;
}

/* The same if the first in the queue has to leave, as it mostly does: *GONE. Otherwise false, and nothing is done. */
static inline bool shadow_replace(struct shadow *shadow, uint32_t line, cycles time, uint32_t *gone)
{
    cycles *const used = shadow->used;
    if (SIM_UNLIKELY(shadow->next == shadow->in_force))
        return false;
    const uint64_t use = *shadow->next;
    const uint32_t entry = shadow_entry_of_use(use), victim = shadow->line_of[entry];
    if (SIM_UNLIKELY(used[victim] != shadow->base + (use >> SHADOW_ENTRY_BITS)))
        return false;
    shadow->next++;
    used[victim] = 0;
    shadow->line_of[entry] = line;
    shadow->entry_of[line] = entry;
    used[line] = time;
    *gone = victim;
    return true;
}

/* shadow_bring_in() of any LINE. */
static inline uint32_t shadow_use(struct shadow *shadow, uint32_t line, cycles time)
{
    if (SIM_UNLIKELY(!shadow_holds(shadow, line)))
        return shadow_bring_in(shadow, line, time);
    shadow->used[line] = time;
    return SHADOW_NOTHING;
}

/* All lines that it holds, *COUNT of them, in the order of their use; the caller frees them. Results depend on nothing
 * else of it. Out of memory aborts. */
struct shadow_use *shadow_uses(const struct shadow *shadow, uint32_t *count);

/* Everything leaves. */
void shadow_clear(struct shadow *shadow);

/* LINE leaves, if it is there. */
void shadow_remove(struct shadow *shadow, uint32_t line);

#endif
