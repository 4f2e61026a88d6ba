/*
 * The 128 KB buffer of an HP 97560 and the mechanism that fills and empties it: one run of consecutive sectors, read or
 * written in order.
 *
 *   reading   [first, next) are in the buffer; next is the sector to read next, up to limit. The drive reads ahead of
 *             the requests until the buffer is full, and continues when the host has taken data.
 *   writing   [next, limit) are in the buffer and not yet written. The drive may have reported them as complete
 *             (immediate report).
 *
 * Rules. A read that begins with a sector in the buffer, or with the next one to be read, continues the run; any other
 * read begins a new run there. A write that begins at the end of the unwritten sectors is appended to them; any other
 * request waits until they are on the platters. A write discards the sectors read ahead. Written sectors are not kept
 * for reads.
 *
 * The state changes only when a function is called: the caller advances it to a time. Times are disk time.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_CACHE_H
#define SIMOS_DEVICES_DISK_DISK_CACHE_H

#include "devices/disk/disk_mechanism.h"
#include "src/base/types.h"

enum { DISK_CACHE_SECTORS = (128 << 10) / 512 };

enum disk_run { DISK_RUN_NONE, DISK_RUN_READ, DISK_RUN_WRITE };

/* Work of the mechanism for requested sectors, and the number of sectors read ahead. */
struct disk_work {
    uint64_t seek, rotation, transfer; /* ns */
    uint64_t seeks, read_ahead;        /* seeks to another cylinder; sectors */
};

/* Plain state. */
struct disk_cache {
    enum disk_run run;
    uint64_t first, next, limit; /* sectors */
    uint64_t wanted;             /* reading: sectors from here on are read-ahead */
    nsec when, ready; /* earliest time of the arm movement to sector next; earliest start of that sector's transfer */
    struct disk_arm arm;
    struct disk_work work;
};

/* Advance the run to NOW. */
void disk_cache_advance(struct disk_cache *cache, const struct disk_geometry *geometry, nsec now);

/* Begin a run of reads or writes at SECTOR with an empty buffer; the arm moves from NOW on. The preceding run is
 * discarded: it must not have unwritten sectors. */
void disk_cache_start(struct disk_cache *cache, enum disk_run run, uint64_t sector, nsec now);

/* Extend the run to LIMIT. If the run had reached its old limit, no sector passes before NOW. A lower LIMIT than the
 * present one changes nothing. */
void disk_cache_extend(struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t limit, nsec now);

/* The time at which all sectors below END, at most the limit, will have passed. May be in the past. */
nsec disk_cache_time(const struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t end);

/* Does a read of SECTOR continue the run of reads? */
static inline bool disk_cache_continues(const struct disk_cache *cache, uint64_t sector)
{
    return cache->run == DISK_RUN_READ && sector >= cache->first && sector <= cache->next;
}

/* Number of sectors in the buffer that are not yet written. */
static inline uint64_t disk_cache_unwritten(const struct disk_cache *cache)
{
    return cache->run == DISK_RUN_WRITE ? cache->limit - cache->next : 0;
}

#endif
