/*
 * Misses and stalls by a 64-bit key (the address of an instruction, of data): a hash table that grows.
 *
 * Private to cache/classify*, except the entries.
 */
#ifndef SIMOS_CACHE_CLASSIFY_PROFILE_H
#define SIMOS_CACHE_CLASSIFY_PROFILE_H

#include "cache/classify/classify.h"

struct profile {
    struct classify_profile_entry *entries; /* open addressing; used if stalls or misses are not 0 */
    bool *used;
    size_t room, count; /* room: a power of two, or 0 */
};

void profile_release(struct profile *profile);

/* The entry of KEY, all 0 if it is new; valid until the next call. Out of memory aborts. */
struct classify_profile_entry *profile_entry(struct profile *profile, uint64_t key);

/* All entries in order of their keys, in memory that the caller frees; *COUNT of them. */
struct classify_profile_entry *profile_sorted(const struct profile *profile, size_t *count);

#endif
