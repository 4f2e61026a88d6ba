#include "cache/classify_shadow.h"

#include "cache/classify_table.h"
#include "src/log.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 16, LINES_A_SLOT = 1 /* about so many times in each, on average */ };

typedef uint32_t quad __attribute__((vector_size(16), aligned(4), may_alias));

void shadow_init(struct shadow *shadow, uint32_t capacity, uint32_t line_shift)
{
    *shadow = (struct shadow){.capacity = capacity, .line_shift = line_shift, .slots = SLOTS_MIN};
    if (capacity > 1u << SHADOW_ENTRY_BITS)
        log_bug("a fully associative cache of %u lines", capacity);
    while (shadow->slots * LINES_A_SLOT < capacity)
        shadow->slots *= 2;
    shadow->used = classify_table_create(line_shift, sizeof *shadow->used);
    shadow->entry_of = classify_table_create(line_shift, sizeof *shadow->entry_of);
    shadow->line_of = calloc(capacity, sizeof *shadow->line_of);
    shadow->free_entries = malloc(capacity * sizeof *shadow->free_entries);
    shadow->queue = malloc(capacity * sizeof *shadow->queue);
    shadow->some = malloc(capacity * sizeof *shadow->some);
    shadow->in_slot = malloc((shadow->slots + 1) * sizeof *shadow->in_slot);
    if (!shadow->line_of || !shadow->free_entries || !shadow->queue || !shadow->some || !shadow->in_slot)
        log_bug("out of memory for a fully associative cache of %u lines", capacity);
    shadow_clear(shadow);
}

void shadow_clear(struct shadow *shadow)
{
    shadow->next = shadow->end = shadow->in_force = shadow->queue;
    shadow->lines = 0;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++) {
        shadow->used[shadow->line_of[entry]] = 0; /* at first, that of line 0 */
        shadow->free_entries[shadow->capacity - 1 - entry] = entry;
    }
}

void shadow_release(struct shadow *shadow)
{
    classify_table_free(shadow->used, shadow->line_shift, sizeof *shadow->used);
    classify_table_free(shadow->entry_of, shadow->line_shift, sizeof *shadow->entry_of);
    free(shadow->line_of);
    free(shadow->free_entries);
    free(shadow->queue);
    free(shadow->some);
    free(shadow->in_slot);
}

/* In the order of time; there should be no two at the same time, but if there are, they have an order. */
static inline bool is_later(const struct shadow_use *a, const struct shadow_use *b)
{
    return a->time > b->time || (SIM_UNLIKELY(a->time == b->time) && a->line > b->line);
}

static int earlier_first(const void *a, const void *b)
{
    return is_later(a, b) - is_later(b, a);
}

struct shadow_use *shadow_uses(const struct shadow *shadow, uint32_t *count)
{
    struct shadow_use *uses = checked_memory(malloc(shadow->capacity * sizeof *uses));
    *count = 0;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++) {
        const uint32_t line = shadow->line_of[entry];
        if (shadow_holds(shadow, line) && shadow->entry_of[line] == entry)
            uses[(*count)++] = (struct shadow_use){shadow->used[line], line, entry};
    }
    qsort(uses, *count, sizeof *uses, earlier_first);
    return uses;
}

/* Times before shadow->oldest are not expected, but for a few that were told early in the same cycle. */
enum { EARLIER_TICKS = 1 << 12 };

/* memset() would do it byte by byte, as the processor's own instruction for it does. */
static void clear_slots(const struct shadow *shadow)
{
    const quad none = {0};
    quad *const end = (quad *)(void *)(shadow->in_slot + 1 + shadow->slots);
    *shadow->in_slot = 0;
    for (quad *slots = (quad *)(void *)(shadow->in_slot + 1); slots < end; slots += 4) {
        slots[0] = slots[1] = slots[2] = slots[3] = none;
        __asm__("" : : : "memory"); /* no memset() after all */
    }
}

/* All entries are in use: finds those whose lines were used less than SLOTS << SHIFT after shadow->base, in no order,
 * and how many were in each slot of 1 << SHIFT. Returns how many in all. */
static uint32_t find_oldest(const struct shadow *shadow, unsigned shift)
{
    const cycles base = shadow->base, limit = (cycles)shadow->slots << shift;
    const uint32_t capacity = shadow->capacity, *line_of = shadow->line_of;
    const cycles *used = shadow->used;
    uint64_t *some = shadow->some;
    uint32_t *in_slot = shadow->in_slot + 1;
    clear_slots(shadow);
    for (uint32_t entry = 0; entry < capacity; entry++) {
        const cycles since = used[line_of[entry]] - base;
        if (since >= limit)
            continue;
        in_slot[since >> shift]++;
        *some++ = since << SHADOW_ENTRY_BITS | entry;
    }
    return (uint32_t)(some - shadow->some);
}

/* COUNT uses, all in one slot, are put into order: Shell's sort with Ciura's gaps. There are a few dozen; qsort() takes
 * three times as long. */
static void sort_slot(uint64_t *first, ptrdiff_t count)
{
    static const uint16_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        const ptrdiff_t gap = gaps[i];
        for (ptrdiff_t use = gap; use < count; use++) {
            const uint64_t moved = first[use];
            ptrdiff_t to = use;
            for (; to >= gap && first[to - gap] > moved; to -= gap)
                first[to] = first[to - gap];
            first[to] = moved;
        }
    }
}

/* The queue is in order but for uses in the same slot, of which there mostly are few: sort them. SHADOW->in_slot says
 * where in the queue each slot ends. */
static void sort_within_slots(const struct shadow *shadow, unsigned slot_shift)
{
    enum { FEW = 16 };
    uint64_t *const first = shadow->next, *const end = shadow->end;
    for (uint64_t *use = first + 1; use < end; use++) {
        const uint64_t moved = *use;
        if (SIM_LIKELY(use[-1] < moved))
            continue;
        const uint32_t *const slot_end = shadow->in_slot + (moved >> slot_shift);
        uint64_t *const begin = shadow->queue + (slot_end == shadow->in_slot ? 0 : slot_end[-1]), *to = use;
        if (SIM_UNLIKELY(shadow->queue + *slot_end - begin > FEW)) {
            sort_slot(begin, shadow->queue + *slot_end - begin);
            use = shadow->queue + *slot_end - 1;
            continue;
        }
        for (; to > begin && to[-1] > moved; to--)
            *to = to[-1];
        *to = moved;
    }
}

/* COUNT uses have been found: the queue is made of them. */
static void sort_found(struct shadow *shadow, uint32_t count, unsigned shift)
{
    const uint32_t slots = shadow->slots;
    const unsigned slot_shift = SHADOW_ENTRY_BITS + shift;
    uint64_t *queue = shadow->queue;
    uint32_t *begin = shadow->in_slot, before = 0; /* where the uses of each slot go */
    for (uint32_t slot = 1; slot < slots; slot++)
        begin[slot] = before += begin[slot];
    for (const uint64_t *use = shadow->some; use < shadow->some + count; use++)
        queue[begin[*use >> slot_shift]++] = *use;
    shadow->next = queue;
    shadow->end = shadow->in_force = queue + count;
    if (count > 0)
        sort_within_slots(shadow, slot_shift);
}

static cycles time_of_oldest(const struct shadow *shadow)
{
    cycles oldest = UINT64_MAX;
    for (uint32_t entry = 0; entry < shadow->capacity; entry++)
        if (shadow->used[shadow->line_of[entry]] < oldest)
            oldest = shadow->used[shadow->line_of[entry]];
    return oldest;
}

/* The slots cover at least half of the time since the oldest use, if that fits into a queue's elements: what is in
 * steady use need not be sorted each time. */
void shadow_fill_queue(struct shadow *shadow, cycles now)
{
    const unsigned time_bits = 63 - SHADOW_ENTRY_BITS, slot_bits = (unsigned)__builtin_ctz(shadow->slots);
    cycles earlier = EARLIER_TICKS;
    uint32_t count = 0;
    for (; count == 0; earlier = 0) {
        shadow->base = shadow->oldest - (shadow->oldest < earlier ? shadow->oldest : earlier);
        const cycles span = now > shadow->base ? now - shadow->base : 0;
        unsigned shift = 0;
        while (span >> shift >= 2 * (cycles)shadow->slots && shift + slot_bits < time_bits)
            shift++;
        count = find_oldest(shadow, shift);
        sort_found(shadow, count, shift);
        shadow->oldest = count > 0 ? shadow->base + ((cycles)shadow->slots << shift) : time_of_oldest(shadow);
    }
}

void shadow_remove(struct shadow *shadow, uint32_t line)
{
    if (!shadow_holds(shadow, line))
        return;
    shadow->used[line] = 0;
    shadow->free_entries[shadow->capacity - shadow->lines--] = shadow->entry_of[line];
    shadow->in_force = shadow->next;
}
