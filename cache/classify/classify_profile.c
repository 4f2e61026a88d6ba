#include "cache/classify/classify_profile.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

void profile_release(struct profile *profile)
{
    free(profile->entries);
    free(profile->used);
}

/* The slot of KEY, or the free slot where it belongs. The table has a free slot. */
static size_t slot_of(const struct profile *profile, uint64_t key)
{
    size_t mask = profile->room - 1;
    size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (profile->used[slot] && profile->entries[slot].key != key)
        slot = (slot + 1) & mask;
    return slot;
}

static void grow(struct profile *profile)
{
    struct profile old = *profile;
    profile->room = old.room ? old.room * 2 : FIRST_ROOM;
    profile->entries = malloc(profile->room * sizeof *profile->entries);
    profile->used = calloc(profile->room, sizeof *profile->used);
    if (!profile->entries || !profile->used)
        log_bug("out of memory for a profile of %zu addresses", profile->room);
    for (size_t i = 0; i < old.room; i++) {
        if (!old.used[i])
            continue;
        size_t slot = slot_of(profile, old.entries[i].key);
        profile->entries[slot] = old.entries[i];
        profile->used[slot] = true;
    }
    profile_release(&old);
}

struct classify_profile_entry *profile_entry(struct profile *profile, uint64_t key)
{
    if (profile->count * 2 >= profile->room)
        grow(profile);
    size_t slot = slot_of(profile, key);
    struct classify_profile_entry *entry = &profile->entries[slot];
    if (!profile->used[slot]) {
        *entry = (struct classify_profile_entry){.key = key};
        profile->used[slot] = true;
        profile->count++;
    }
    return entry;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct classify_profile_entry *)a)->key, y = ((const struct classify_profile_entry *)b)->key;
    return (x > y) - (x < y);
}

struct classify_profile_entry *profile_sorted(const struct profile *profile, size_t *count)
{
    *count = 0;
    if (profile->count == 0)
        return NULL;
    struct classify_profile_entry *entries = malloc(profile->count * sizeof *entries);
    if (!entries)
        log_bug("out of memory for a profile of %zu addresses", profile->count);
    for (size_t i = 0; i < profile->room; i++)
        if (profile->used[i])
            entries[(*count)++] = profile->entries[i];
    qsort(entries, *count, sizeof *entries, by_key);
    return entries;
}
