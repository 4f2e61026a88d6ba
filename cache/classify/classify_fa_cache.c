#include "cache/classify/classify_fa_cache.h"

#include "cache/state/line_table.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

void fa_cache_init(struct fa_cache *fa_cache, uint32_t capacity, uint32_t line_shift)
{
    *fa_cache = (struct fa_cache){.capacity = capacity, .line_shift = line_shift};
    if (capacity >= 1u << FA_CACHE_ENTRY_BITS) /* 0 is no entry */
        log_bug("a fully associative cache of %u lines", capacity);
    fa_cache->entry_of = line_table_create(line_shift, sizeof *fa_cache->entry_of);
    fa_cache->used = checked_memory(calloc(capacity + 1, sizeof *fa_cache->used));
    fa_cache->line_of = checked_memory(calloc(capacity + 1, sizeof *fa_cache->line_of));
    fa_cache->free_entries = checked_memory(malloc(capacity * sizeof *fa_cache->free_entries));
    fa_cache->queue = checked_memory(malloc((capacity + 1) * sizeof *fa_cache->queue));
    fa_cache->room = checked_memory(malloc((capacity + 1) * sizeof *fa_cache->room));
    fa_cache_clear(fa_cache);
}

void fa_cache_clear(struct fa_cache *fa_cache)
{
    fa_cache->next = fa_cache->end = fa_cache->usable_end = fa_cache->queue;
    fa_cache->lines = 0;
    for (uint32_t entry = 1; entry <= fa_cache->capacity; entry++) {
        fa_cache->entry_of[fa_cache->line_of[entry]] = FA_CACHE_NO_ENTRY; /* initially line_of is all 0 */
        fa_cache->free_entries[fa_cache->capacity - entry] = entry;
    }
}

void fa_cache_release(struct fa_cache *fa_cache)
{
    line_table_free(fa_cache->entry_of, fa_cache->line_shift, sizeof *fa_cache->entry_of);
    free(fa_cache->used);
    free(fa_cache->line_of);
    free(fa_cache->free_entries);
    free(fa_cache->queue);
    free(fa_cache->room);
}

/* Orders by time. Timestamps should be unique; equal ones are ordered by line. */
static inline bool is_later(const struct fa_cache_use *a, const struct fa_cache_use *b)
{
    return a->time > b->time || (SIM_UNLIKELY(a->time == b->time) && a->line > b->line);
}

static int earlier_first(const void *a, const void *b)
{
    return is_later(a, b) - is_later(b, a);
}

struct fa_cache_use *fa_cache_lru_order(const struct fa_cache *fa_cache, uint32_t *count)
{
    struct fa_cache_use *uses = checked_memory(malloc(fa_cache->capacity * sizeof *uses));
    *count = 0;
    for (uint32_t entry = 1; entry <= fa_cache->capacity; entry++) {
        const uint32_t line = fa_cache->line_of[entry];
        if (fa_cache->entry_of[line] == entry)
            uses[(*count)++] = (struct fa_cache_use){fa_cache->used[entry], line, entry};
    }
    qsort(uses, *count, sizeof *uses, earlier_first);
    return uses;
}

/* Margin for timestamps below fa_cache->oldest: a few accesses are reported early in the same cycle. */
enum { EARLIER_TICKS = 1 << 12 };

/* Queues the entries whose lines were used less than LIMIT after fa_cache->base, in entry order. Returns their number.
 * All entries are in use. */
static uint32_t find_oldest(const struct fa_cache *fa_cache, cycles limit)
{
    const cycles base = fa_cache->base, *used = fa_cache->used;
    const uint32_t capacity = fa_cache->capacity;
    uint64_t *queue = fa_cache->queue;
    for (uint32_t entry = 1; entry <= capacity; entry++) {
        const cycles since = used[entry] - base;
        /* no branch: it would be mispredicted for every other entry */
        *queue = since << FA_CACHE_ENTRY_BITS | entry;
        queue += since < limit;
    }
    return (uint32_t)(queue - fa_cache->queue);
}

/* Sorts the COUNT elements of the queue, whose times are below LIMIT, by time, then by entry: a radix sort, least
 * significant digit first (Knuth, The Art of Computer Programming 3, 5.2.5). */
static void sort_queue(struct fa_cache *fa_cache, uint32_t count, cycles limit)
{
    enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = FA_CACHE_ENTRY_BITS; limit > 0; shift += DIGIT_BITS, limit >>= DIGIT_BITS) {
        uint32_t place[DIGITS] = {0}, next = 0;
        uint64_t *const from = fa_cache->queue, *const to = fa_cache->room;
        for (uint32_t i = 0; i < count; i++)
            place[from[i] >> shift & (DIGITS - 1)]++;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            const uint32_t uses = place[digit];
            place[digit] = next;
            next += uses;
        }
        for (uint32_t i = 0; i < count; i++)
            to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        fa_cache->queue = to;
        fa_cache->room = from;
    }
    fa_cache->next = fa_cache->queue;
    fa_cache->end = fa_cache->usable_end = fa_cache->queue + count;
}

static cycles time_of_oldest(const struct fa_cache *fa_cache)
{
    cycles oldest = UINT64_MAX;
    for (uint32_t entry = 1; entry <= fa_cache->capacity; entry++)
        if (fa_cache->used[entry] < oldest)
            oldest = fa_cache->used[entry];
    return oldest;
}

/* Queues the lines used in the first half of the interval since the oldest use, as far as it fits into the queue's
 * elements. Lines in frequent use are then not sorted each time. */
void fa_cache_fill_queue(struct fa_cache *fa_cache, cycles now)
{
    const cycles most = (cycles)1 << (63 - FA_CACHE_ENTRY_BITS);
    cycles earlier = EARLIER_TICKS;
    uint32_t count = 0;
    for (; count == 0; earlier = 0) {
        fa_cache->base = fa_cache->oldest - (fa_cache->oldest < earlier ? fa_cache->oldest : earlier);
        cycles limit = now > fa_cache->base ? (now - fa_cache->base) / 2 + 1 : 1;
        if (limit > most)
            limit = most;
        count = find_oldest(fa_cache, limit);
        sort_queue(fa_cache, count, limit);
        fa_cache->oldest = count > 0 ? fa_cache->base + limit : time_of_oldest(fa_cache);
    }
}

void fa_cache_remove(struct fa_cache *fa_cache, uint32_t line)
{
    const uint32_t entry = fa_cache->entry_of[line];
    if (entry == FA_CACHE_NO_ENTRY)
        return;
    fa_cache->entry_of[line] = FA_CACHE_NO_ENTRY;
    fa_cache->free_entries[fa_cache->capacity - fa_cache->lines--] = entry;
    fa_cache->usable_end = fa_cache->next;
}
