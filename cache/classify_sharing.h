/*
 * What other CPUs and devices have written since a cache lost a line to one of them: tells true from false sharing
 * (docs/reference/miss-classes.md). Kept by blocks of the line size of the level at which the caches are coherent, but
 * of at most 256 bytes: a bit a word. A cache whose lines are shorter may have lost some lines of a block and not
 * others. Only blocks that were ever lost take memory.
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
    /* Of the lines for which sharing_store() answers: a bit a word; and which bits of a word's number in its block make
     * that of the first word of its line. */
    uint64_t line_words;
    uint32_t line_first;
    uint32_t *record_of;    /* by block: number of its record, or 0 */
    uint32_t records, room; /* the first record is not used */
    /* [record][cpu][cache], so many a record, a bit a word: lost; lost and not written. */
    uint32_t step;
    uint64_t *lost, *open;
    uint64_t *open_anywhere; /* by record: open in some cache */
};

/* For CPUS (at most 32) of CACHES each, coherent by lines of BLOCK bytes. STORE_LINE: line size of the cache that a
 * CPU stores to. Out of memory aborts. */
void sharing_init(struct sharing *sharing, unsigned cpus, unsigned caches, uint32_t block, uint32_t store_line);
void sharing_release(struct sharing *sharing);

/* For saving: what CACHE of CPU has lost of a record's block; and a new record for BLOCK, which has none: LOSSES is
 * what is lost of it, [cpu][cache]. */
struct sharing_loss sharing_loss(const struct sharing *sharing, uint32_t record, unsigned cpu, unsigned cache);
void sharing_add_record(struct sharing *sharing, uint32_t block, const struct sharing_loss *losses);

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
