#include "cache/classify_shadow.h"

#include "cache/classify_table.h"
#include "src/log.h"
#include <stdlib.h>
#include <string.h>

void shadow_init(struct shadow *shadow, uint32_t capacity, uint32_t line_shift)
{
    *shadow = (struct shadow){.capacity = capacity, .line_shift = line_shift};
    shadow->used = classify_table_create(line_shift, sizeof *shadow->used);
    shadow->entry_of = classify_table_create(line_shift, sizeof *shadow->entry_of);
    shadow->entries = malloc(capacity * sizeof *shadow->entries);
    shadow->free_entries = malloc(capacity * sizeof *shadow->free_entries);
    if (!shadow->entries || !shadow->free_entries)
        log_bug("out of memory for a fully associative cache of %u lines", capacity);
    shadow_clear(shadow);
}

void shadow_clear(struct shadow *shadow)
{
    for (uint32_t i = 0; i < shadow->capacity; i++) {
        shadow->entries[i] = (struct shadow_entry){.line = SHADOW_NOTHING, .next = SHADOW_NOWHERE};
        shadow->free_entries[i] = shadow->capacity - 1 - i;
    }
    memset(shadow->slots, 0, sizeof shadow->slots);
    memset(shadow->first, 0xff, sizeof shadow->first);
    shadow->words = 0;
    shadow->lines = 0;
}

void shadow_release(struct shadow *shadow)
{
    classify_table_free(shadow->used, shadow->line_shift, sizeof *shadow->used);
    classify_table_free(shadow->entry_of, shadow->line_shift, sizeof *shadow->entry_of);
    free(shadow->entries);
    free(shadow->free_entries);
}

static int by_time(const void *a, const void *b)
{
    const struct shadow_use *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->line > y->line) - (x->line < y->line);
}

struct shadow_use *shadow_uses(const struct shadow *shadow, uint32_t *count)
{
    struct shadow_use *uses = checked_memory(malloc(shadow->capacity * sizeof *uses));
    *count = 0;
    for (uint32_t i = 0; i < shadow->capacity; i++) {
        uint32_t line = shadow->entries[i].line;
        if (line != SHADOW_NOTHING)
            uses[(*count)++] = (struct shadow_use){shadow->used[line], line};
    }
    qsort(uses, *count, sizeof *uses, by_time);
    return uses;
}

/* Where a time of use waits: at the level of the highest digit in which it differs from the oldest; a number that
 * counts the slots of all levels. */
static inline uint32_t slot_of(const struct shadow *shadow, uint64_t time)
{
    uint64_t coarse = time >> SHADOW_FINE;
    uint32_t top = 63 - (uint32_t)__builtin_clzll((coarse ^ shadow->oldest) | 1);
    uint32_t shift = top & ~(SHADOW_DIGIT - 1u);
    return shift * (SHADOW_SLOTS / SHADOW_DIGIT) + (uint8_t)(coarse >> shift);
}
_Static_assert(SHADOW_DIGIT == 8, "a digit is a byte");

static inline uint64_t time_of(const struct shadow *shadow, uint32_t entry)
{
    return shadow->used[shadow->entries[entry].line];
}

static inline void put(struct shadow *shadow, uint32_t entry, uint64_t time)
{
    uint32_t slot = slot_of(shadow, time);
    uint32_t next = shadow->first[slot];
    shadow->entries[entry].next = next;
    shadow->first[slot] = entry;
    if (next != SHADOW_NOTHING)
        return;
    shadow->slots[slot / 64] |= UINT64_C(1) << slot % 64;
    shadow->words |= 1u << slot / 64;
}

static inline void empty_slot(struct shadow *shadow, uint32_t slot)
{
    shadow->first[slot] = SHADOW_NOTHING;
    shadow->slots[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    if (shadow->slots[slot / 64] == 0)
        shadow->words &= ~(1u << slot / 64);
}

/* The first slot of the lowest level that is in use: all that may be the oldest are in it. */
static inline uint32_t first_slot(const struct shadow *shadow)
{
    uint32_t word = (uint32_t)__builtin_ctz(shadow->words);
    return word * 64 + (uint32_t)__builtin_ctzll(shadow->slots[word]);
}

/* ENTRY has been taken out of a slot: put it where its time of use belongs now, unless it is free. */
static inline void put_again(struct shadow *shadow, uint32_t entry)
{
    if (shadow->entries[entry].line == SHADOW_NOTHING)
        shadow->entries[entry].next = SHADOW_NOWHERE;
    else
        put(shadow, entry, time_of(shadow, entry));
}

/* All that may be the oldest are in SLOT: sort them by the next digit. */
static void spread(struct shadow *shadow, uint32_t slot)
{
    uint32_t shift = slot / SHADOW_SLOTS * SHADOW_DIGIT;
    uint64_t above = shadow->oldest >> shift >> SHADOW_DIGIT;
    uint32_t entry = shadow->first[slot];
    empty_slot(shadow, slot);
    shadow->oldest = (above << SHADOW_DIGIT | slot % SHADOW_SLOTS) << shift;
    while (entry != SHADOW_NOTHING) {
        uint32_t next = shadow->entries[entry].next;
        put_again(shadow, entry);
        entry = next;
    }
}

/* ENTRY is the only one in SLOT: take it out. Whether it is the least recently used one; if it is not, it waits
 * elsewhere. */
static inline bool take_only(struct shadow *shadow, uint32_t entry, uint32_t slot)
{
    empty_slot(shadow, slot);
    if (shadow->entries[entry].line != SHADOW_NOTHING) {
        uint64_t time = time_of(shadow, entry);
        if (slot_of(shadow, time) == slot) {
            shadow->oldest = time >> SHADOW_FINE;
            return true;
        }
    }
    put_again(shadow, entry);
    return false;
}

/* Several are in SLOT, of the lowest level: take out the least recently used one of those that belong there, or
 * SHADOW_NOTHING. The others that do not wait elsewhere. */
static uint32_t take_of_several(struct shadow *shadow, uint32_t slot)
{
    uint32_t entry = shadow->first[slot], oldest = SHADOW_NOTHING;
    empty_slot(shadow, slot);
    while (entry != SHADOW_NOTHING) {
        uint32_t next = shadow->entries[entry].next;
        bool belongs = shadow->entries[entry].line != SHADOW_NOTHING && slot_of(shadow, time_of(shadow, entry)) == slot;
        if (!belongs || (oldest != SHADOW_NOTHING && time_of(shadow, entry) > time_of(shadow, oldest))) {
            put_again(shadow, entry);
        } else {
            if (oldest != SHADOW_NOTHING)
                put_again(shadow, oldest);
            oldest = entry;
        }
        entry = next;
    }
    if (oldest != SHADOW_NOTHING)
        shadow->oldest = time_of(shadow, oldest) >> SHADOW_FINE;
    return oldest;
}

/* The entry of the least recently used line, which does not wait any more. There is at least one line. */
static uint32_t take_oldest(struct shadow *shadow)
{
    for (;;) {
        uint32_t slot = first_slot(shadow);
        uint32_t entry = shadow->first[slot];
        if (shadow->entries[entry].next == SHADOW_NOTHING) {
            if (take_only(shadow, entry, slot))
                return entry;
        } else if (slot >= SHADOW_SLOTS) {
            spread(shadow, slot);
        } else {
            entry = take_of_several(shadow, slot);
            if (entry != SHADOW_NOTHING)
                return entry;
        }
    }
}

uint32_t shadow_bring_in(struct shadow *shadow, uint32_t line, cycles time)
{
    uint32_t victim = SHADOW_NOTHING, entry;
    bool waiting = false;
    if (SIM_UNLIKELY(shadow->lines < shadow->capacity)) {
        entry = shadow->free_entries[shadow->capacity - 1 - shadow->lines++];
        /* in a slot for an earlier time: that will be noticed when it comes up */
        waiting = shadow->entries[entry].next != SHADOW_NOWHERE;
    } else {
        entry = take_oldest(shadow);
        victim = shadow->entries[entry].line;
    }
    shadow->entries[entry].line = line;
    shadow->entry_of[line] = entry;
    shadow->used[line] = time;
    if (!waiting)
        put(shadow, entry, time);
    return victim;
}

void shadow_remove(struct shadow *shadow, uint32_t line)
{
    if (!shadow_holds(shadow, line))
        return;
    uint32_t entry = shadow->entry_of[line];
    shadow->entries[entry].line = SHADOW_NOTHING;
    shadow->free_entries[shadow->capacity - shadow->lines--] = entry;
}
