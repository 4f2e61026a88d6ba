#include "cache/classify/classify_profile.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

void profile_release(struct profile *profile)
{
    free(profile->entries);
    hash_map_release(&profile->numbers);
}

static struct classify_profile_entry *add_entry(struct profile *profile, uint64_t key)
{
    if (profile->count == profile->room) {
        profile->room = profile->room ? 2 * profile->room : FIRST_ROOM;
        profile->entries = checked_memory(realloc(profile->entries, profile->room * sizeof *profile->entries));
    }
    hash_map_add(&profile->numbers, key)->number = profile->count;
    struct classify_profile_entry *entry = &profile->entries[profile->count++];
    *entry = (struct classify_profile_entry){.key = key};
    return entry;
}

struct classify_profile_entry *profile_entry(struct profile *profile, uint64_t key)
{
    const struct hash_slot *slot = hash_map_find(&profile->numbers, key);
    return slot ? &profile->entries[slot->number] : add_entry(profile, key);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct classify_profile_entry *)a)->key, y = ((const struct classify_profile_entry *)b)->key;
    return (x > y) - (x < y);
}

struct classify_profile_entry *profile_sorted(const struct profile *profile, size_t *count)
{
    *count = profile->count;
    if (profile->count == 0)
        return NULL;
    struct classify_profile_entry *entries = checked_memory(malloc(profile->count * sizeof *entries));
    memcpy(entries, profile->entries, profile->count * sizeof *entries);
    qsort(entries, *count, sizeof *entries, by_key);
    return entries;
}
