#include "cache/classify/classify_fa_cache.h"

#include "cache/classify/classify_table.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

void fa_cache_init(struct fa_cache *shadow, uint32_t capacity, uint32_t line_shift)
{
    *shadow = (struct fa_cache){.capacity = capacity, .line_shift = line_shift};
    if (capacity > 1u << FA_CACHE_ENTRY_BITS)
        log_bug("a fully associative cache of %u lines", capacity);
    shadow->used = classify_table_create(line_shift, sizeof *shadow->used);
    shadow->entry_of = classify_table_create(line_shift, sizeof *shadow->entry_of);
    shadow->line_of = calloc(capacity, sizeof *shadow->line_of);
    shadow->free_entries = malloc(capacity * sizeof *shadow->free_entries);
    shadow->queue = malloc(capacity * sizeof *shadow->queue);
    shadow->room = malloc(capacity * sizeof *shadow->room);
    if (!shadow->line_of || !shadow->free_entries || !shadow->queue || !shadow->room)
        log_bug("out of memory for a fully associative cache of %u lines", capacity);
    fa_cache_clear(shadow);
}

void fa_cache_clear(struct fa_cache *shadow)
{
    shadow->next = shadow->end = shadow->usable_end = shadow->queue;
    shadow->lines = 0;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++) {
        shadow->used[shadow->line_of[entry]] = 0; /* initially line_of is all 0 */
        shadow->free_entries[shadow->capacity - 1 - entry] = entry;
    }
}

void fa_cache_release(struct fa_cache *shadow)
{
    classify_table_free(shadow->used, shadow->line_shift, sizeof *shadow->used);
    classify_table_free(shadow->entry_of, shadow->line_shift, sizeof *shadow->entry_of);
    free(shadow->line_of);
    free(shadow->free_entries);
    free(shadow->queue);
    free(shadow->room);
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

struct fa_cache_use *fa_cache_lru_order(const struct fa_cache *shadow, uint32_t *count)
{
    struct fa_cache_use *uses = checked_memory(malloc(shadow->capacity * sizeof *uses));
    *count = 0;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++) {
        const uint32_t line = shadow->line_of[entry];
        if (fa_cache_holds(shadow, line) && shadow->entry_of[line] == entry)
            uses[(*count)++] = (struct fa_cache_use){shadow->used[line], line, entry};
    }
    qsort(uses, *count, sizeof *uses, earlier_first);
    return uses;
}

/* Margin for timestamps below shadow->oldest: a few accesses are reported early in the same cycle. */
enum { EARLIER_TICKS = 1 << 12 };

/* Queues the entries whose lines were used less than LIMIT after shadow->base, in entry order. Returns their number.
 * All entries are in use. */
static uint32_t find_oldest(const struct fa_cache *shadow, cycles limit)
{
    const cycles base = shadow->base;
    const uint32_t capacity = shadow->capacity, *line_of = shadow->line_of;
    const cycles *used = shadow->used;
    uint64_t *queue = shadow->queue;
    for (uint32_t entry = 0; entry < capacity; entry++) {
        const cycles since = used[line_of[entry]] - base;
        if (since < limit)
            *queue++ = since << FA_CACHE_ENTRY_BITS | entry;
    }
    return (uint32_t)(queue - shadow->queue);
}

/* Sorts the COUNT elements of the queue, whose times are below LIMIT, by time, then by entry: a radix sort, least
 * significant digit first (Knuth, The Art of Computer Programming 3, 5.2.5). */
static void sort_queue(struct fa_cache *shadow, uint32_t count, cycles limit)
{
    enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = FA_CACHE_ENTRY_BITS; limit > 0; shift += DIGIT_BITS, limit >>= DIGIT_BITS) {
        uint32_t place[DIGITS] = {0}, next = 0;
        uint64_t *const from = shadow->queue, *const to = shadow->room;
        for (uint32_t i = 0; i < count; i++)
            place[from[i] >> shift & (DIGITS - 1)]++;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            const uint32_t uses = place[digit];
            place[digit] = next;
            next += uses;
        }
        for (uint32_t i = 0; i < count; i++)
            to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        shadow->queue = to;
        shadow->room = from;
    }
    shadow->next = shadow->queue;
    shadow->end = shadow->usable_end = shadow->queue + count;
}

static cycles time_of_oldest(const struct fa_cache *shadow)
{
    cycles oldest = UINT64_MAX;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++)
        if (shadow->used[shadow->line_of[entry]] < oldest)
            oldest = shadow->used[shadow->line_of[entry]];
    return oldest;
}

/* Queues the lines used in the first half of the interval since the oldest use, as far as it fits into the queue's
 * elements. Lines in frequent use are then not sorted each time. */
void fa_cache_fill_queue(struct fa_cache *shadow, cycles now)
{
    const cycles most = (cycles)1 << (63 - FA_CACHE_ENTRY_BITS);
    cycles earlier = EARLIER_TICKS;
    uint32_t count = 0;
    for (; count == 0; earlier = 0) {
        shadow->base = shadow->oldest - (shadow->oldest < earlier ? shadow->oldest : earlier);
        cycles limit = now > shadow->base ? (now - shadow->base) / 2 + 1 : 1;
        if (limit > most)
            limit = most;
        count = find_oldest(shadow, limit);
        sort_queue(shadow, count, limit);
        shadow->oldest = count > 0 ? shadow->base + limit : time_of_oldest(shadow);
    }
}

void fa_cache_remove(struct fa_cache *shadow, uint32_t line)
{
    if (!fa_cache_holds(shadow, line))
        return;
    shadow->used[line] = 0;
    shadow->free_entries[shadow->capacity - shadow->lines--] = shadow->entry_of[line];
    shadow->usable_end = shadow->next;
}
