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
        shadow->entries[i] = (struct shadow_entry){.line = SHADOW_NOTHING};
        shadow->free_entries[i] = shadow->capacity - 1 - i;
    }
    memset(shadow->slots, 0, sizeof shadow->slots);
    shadow->levels = 0;
    shadow->lines = 0;
}

void shadow_release(struct shadow *shadow)
{
    classify_table_free(shadow->used, shadow->line_shift, sizeof *shadow->used);
    classify_table_free(shadow->entry_of, shadow->line_shift, sizeof *shadow->entry_of);
    free(shadow->entries);
    free(shadow->free_entries);
}

/* Where a time of use waits: at the level of the highest digit in which it differs from the oldest. */
struct position {
    unsigned level, slot;
};

static inline struct position position_of(const struct shadow *shadow, uint64_t time)
{
    unsigned level = (unsigned)(63 - __builtin_clzll((time ^ shadow->oldest) | 1)) / SHADOW_DIGIT;
    return (struct position){level, time >> (level * SHADOW_DIGIT) & (SHADOW_SLOTS - 1)};
}

static inline uint64_t time_of(const struct shadow *shadow, uint32_t entry)
{
    return shadow->used[shadow->entries[entry].line];
}

static inline void wait_at(struct shadow *shadow, uint32_t entry, struct position position)
{
    uint64_t bit = UINT64_C(1) << position.slot;
    uint32_t *first = &shadow->first[position.level][position.slot];
    shadow->entries[entry].next = shadow->slots[position.level] & bit ? *first : SHADOW_NOTHING;
    *first = entry;
    shadow->slots[position.level] |= bit;
    shadow->levels |= UINT64_C(1) << position.level;
}

static inline void empty_slot(struct shadow *shadow, struct position position)
{
    shadow->slots[position.level] &= ~(UINT64_C(1) << position.slot);
    if (shadow->slots[position.level] == 0)
        shadow->levels &= ~(UINT64_C(1) << position.level);
}

/* ENTRY has been taken out of a slot: put it where its time of use belongs now, unless it is free. */
static inline void wait_again(struct shadow *shadow, uint32_t entry)
{
    if (shadow->entries[entry].line == SHADOW_NOTHING)
        shadow->entries[entry].waiting = false;
    else
        wait_at(shadow, entry, position_of(shadow, time_of(shadow, entry)));
}

/* The slot at POSITION, of the lowest level that is in use, holds all that may be the oldest: sort them by the next
 * digit. */
static void spread(struct shadow *shadow, struct position position)
{
    unsigned shift = position.level * SHADOW_DIGIT;
    uint64_t above = shadow->oldest >> (shift + SHADOW_DIGIT);
    uint32_t entry = shadow->first[position.level][position.slot];
    empty_slot(shadow, position);
    shadow->oldest = (above << SHADOW_DIGIT | position.slot) << shift;
    while (entry != SHADOW_NOTHING) {
        uint32_t next = shadow->entries[entry].next;
        wait_again(shadow, entry);
        entry = next;
    }
}

/* ENTRY is the only one at POSITION, or the first of several with the same time of use: take it out. Whether it is the
 * least recently used one; if it is not, it waits elsewhere. */
static bool take(struct shadow *shadow, uint32_t entry, struct position position)
{
    uint32_t next = shadow->entries[entry].next;
    if (next == SHADOW_NOTHING)
        empty_slot(shadow, position);
    else
        shadow->first[position.level][position.slot] = next;
    if (shadow->entries[entry].line != SHADOW_NOTHING) {
        uint64_t time = time_of(shadow, entry);
        struct position now = position_of(shadow, time);
        if (now.level == position.level && now.slot == position.slot) {
            shadow->oldest = time;
            return true;
        }
    }
    wait_again(shadow, entry);
    return false;
}

/* The entry of the least recently used line, which does not wait any more. There is at least one line. */
static uint32_t take_oldest(struct shadow *shadow)
{
    for (;;) {
        struct position position = {.level = (unsigned)__builtin_ctzll(shadow->levels)};
        position.slot = (unsigned)__builtin_ctzll(shadow->slots[position.level]);
        uint32_t entry = shadow->first[position.level][position.slot];
        if (position.level > 0 && shadow->entries[entry].next != SHADOW_NOTHING)
            spread(shadow, position);
        else if (take(shadow, entry, position))
            return entry;
    }
}

uint32_t shadow_bring_in(struct shadow *shadow, uint32_t line, cycles time)
{
    uint32_t victim = SHADOW_NOTHING, entry;
    bool waiting = false;
    if (shadow->lines < shadow->capacity) {
        entry = shadow->free_entries[shadow->capacity - 1 - shadow->lines++];
        waiting = shadow->entries[entry].waiting; /* for an earlier time: that will be noticed when it comes up */
    } else {
        entry = take_oldest(shadow);
        victim = shadow->entries[entry].line;
    }
    shadow->entries[entry].line = line;
    shadow->entries[entry].waiting = true;
    shadow->entry_of[line] = entry;
    shadow->used[line] = time;
    if (!waiting)
        wait_at(shadow, entry, position_of(shadow, time));
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
