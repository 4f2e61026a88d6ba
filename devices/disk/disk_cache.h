/*
 * The 128 KB buffer of an HP 97560, and what its mechanism does to fill and to empty it: one run of sectors, read or
 * written one after the other.
 *
 *   reading   [first, next) are in the buffer, next is the sector that is read next, up to limit. The drive reads ahead
 *             of what is asked for until the buffer is full; it goes on when the host has taken some.
 *   writing   [next, limit) are in the buffer and still to be written. The drive may have reported them as written
 *             (immediate report).
 *
 * Rules. A read whose first sector is in the buffer, or is the one to be read next, continues the run; any other read
 * begins a new one there. A write that begins where the sectors to be written end is added to them; anything else waits
 * until they are on the platters. Writing discards what was read ahead. Nothing written is kept for reading.
 *
 * Nothing happens here by itself: the state is brought up to a time by whoever asks. Times are disk time.
 */
#ifndef SIMOS_DISK_CACHE_H
#define SIMOS_DISK_CACHE_H

#include "devices/disk/disk_mechanism.h"
#include "src/base/types.h"

enum { DISK_CACHE_SECTORS = (128 << 10) / 512 };

enum disk_run { DISK_RUN_NONE, DISK_RUN_READ, DISK_RUN_WRITE };

/* What the mechanism did for sectors that were asked for, and how many it read ahead. */
struct disk_work {
    uint64_t seek, rotation, transfer; /* ns */
    uint64_t seeks, read_ahead;        /* movements of the arm to another cylinder; sectors */
};

/* Plain state. */
struct disk_cache {
    enum disk_run run;
    uint64_t first, next, limit; /* sectors */
    uint64_t wanted;             /* reading: sectors from here on are read ahead */
    nsec when, ready;            /* from when the arm may move to sector next, and the sector may begin to pass */
    struct disk_arm arm;
    struct disk_work work;
};

/* Bring the run up to NOW. */
void disk_cache_advance(struct disk_cache *cache, const struct disk_geometry *geometry, nsec now);

/* Begin to read at SECTOR, or to write there (nothing is in the buffer yet); the arm moves from NOW on. What was under
 * way is given up: sectors still to be written must not be. */
void disk_cache_start(struct disk_cache *cache, enum disk_run run, uint64_t sector, nsec now);

/* Let the run go on up to LIMIT: if it has come to its limit, no sector passes before NOW. A lower limit than before
 * changes nothing. */
void disk_cache_extend(struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t limit, nsec now);

/* When the sectors below END, at most the limit, will have passed. May be in the past. */
nsec disk_cache_time(const struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t end);

/* Does a read of SECTOR continue the run of reading? */
static inline bool disk_cache_continues(const struct disk_cache *cache, uint64_t sector)
{
    return cache->run == DISK_RUN_READ && sector >= cache->first && sector <= cache->next;
}

/* Sectors in the buffer that are still to be written. */
static inline uint64_t disk_cache_unwritten(const struct disk_cache *cache)
{
    return cache->run == DISK_RUN_WRITE ? cache->limit - cache->next : 0;
}

#endif
