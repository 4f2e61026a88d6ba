/*
 * What other CPUs and devices have written since a cache lost a line to one of them: tells true from false sharing
 * (docs/miss-classes.md). Kept by blocks of the line size of the level at which the caches are coherent, but of at most
 * 256 bytes: a bit a word. A cache whose lines are shorter may have lost some lines of a block and not others. Only
 * blocks that were ever lost take memory.
 *
 * Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_SHARING_H
#define SIMOS_CACHE_CLASSIFY_SHARING_H

#include "src/types.h"

/* A writer that is no CPU. */
#define SHARING_DEVICE UINT32_MAX

/* Of one cache of one CPU in one block; a bit a word. */
struct sharing_loss {
    uint64_t lost;    /* in lines that are lost and have not come back */
    uint64_t written; /* of those, by somebody else since then */
};

struct sharing {
    unsigned cpus, caches;
    uint32_t block_shift;
    uint32_t store_line;         /* size of the lines for which sharing_store() answers */
    uint32_t *record_of;         /* by block: number of its record, or 0 */
    uint32_t records, room;      /* the first record is not used */
    uint32_t *losers;            /* by record: bit N: CPU N has lost something */
    uint64_t *open;              /* by record, a bit a word: of some CPU's cache lost and not written */
    struct sharing_loss *losses; /* [record][cpu][cache] */
};

/* For CPUS (at most 32) of CACHES each, coherent by lines of BLOCK bytes. STORE_LINE: line size of the cache that a
 * CPU stores to. Out of memory aborts. */
void sharing_init(struct sharing *sharing, unsigned cpus, unsigned caches, uint32_t block, uint32_t store_line);
void sharing_release(struct sharing *sharing);

/* What is lost of a record's block, by CPU and cache, and the bytes of that; and a new record, nothing lost yet, for
 * BLOCK, which has none: its number. */
struct sharing_loss *sharing_losses(const struct sharing *sharing, uint32_t record);
size_t sharing_losses_size(const struct sharing *sharing);
uint32_t sharing_add_record(struct sharing *sharing, uint32_t block);
/* They and who the losers are have been set from outside. */
void sharing_losses_set(struct sharing *sharing, uint32_t record);

/* CACHE of CPU lost the line of SIZE bytes at LINE to somebody's store / holds it again. */
void sharing_lose(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size);
void sharing_regain(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size);

/* CACHE of CPU has lost the line: has anybody else written one of the words of the SIZE bytes at ADDRESS? */
bool sharing_is_true(const struct sharing *sharing, unsigned cpu, unsigned cache, paddr address, uint32_t size);

/* The end of the block of ADDRESS. */
static inline uint64_t sharing_block_end(const struct sharing *sharing, paddr address)
{
    return (((uint64_t)address >> sharing->block_shift) + 1) << sharing->block_shift;
}

/* WRITER (a CPU or SHARING_DEVICE) stored to SIZE bytes at ADDRESS, inside one block. False if it matters which
 * words of ADDRESS's line it stores to next: some are lost to others and not written yet. */
bool sharing_record_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size);
static inline bool sharing_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size)
{
    if (SIM_LIKELY(sharing->record_of[address >> sharing->block_shift] == 0))
        return true;
    return sharing_record_store(sharing, writer, address, size);
}
/* What it would return, without a store. */
bool sharing_ask_store(const struct sharing *sharing, unsigned writer, paddr address);
static inline bool sharing_may_store(const struct sharing *sharing, unsigned writer, paddr address)
{
    if (SIM_LIKELY(sharing->record_of[address >> sharing->block_shift] == 0))
        return true;
    return sharing_ask_store(sharing, writer, address);
}

#endif
