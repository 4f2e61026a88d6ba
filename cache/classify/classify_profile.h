/*
 * Misses and stalls by a 64-bit key (the address of an instruction or of data).
 *
 * Private to cache/classify*, except the entries.
 */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_PROFILE_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_PROFILE_H

#include "cache/classify/classify.h"
#include "src/base/hash_map.h"

struct profile {
    struct classify_profile_entry *entries; /* in the order in which their keys came */
    size_t room, count;
    struct hash_map numbers; /* index in `entries` by key */
};

void profile_release(struct profile *profile);

/* The entry of KEY; a new one is all 0. Valid until the next call. Out of memory aborts. */
struct classify_profile_entry *profile_entry(struct profile *profile, uint64_t key);

/* Copies of all entries, sorted by key; the caller frees them. *COUNT: their number. */
struct classify_profile_entry *profile_sorted(const struct profile *profile, size_t *count);

#endif
