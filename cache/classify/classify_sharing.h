/*
 * The words that other CPUs and devices have written since a cache's copy of a line was invalidated: distinguishes true
 * from false sharing (docs/reference/miss-classes.md). Recorded for each block, one bit a word; a block is the
 * coherence block, but at most 256 bytes. A cache with shorter lines may have lost some lines of a block and kept
 * others. Only blocks with an invalidated copy take memory.
 *
 * Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_SHARING_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_SHARING_H

#include "src/base/types.h"

/* A writer that is a device, not a CPU. */
#define SHARING_DEVICE UINT32_MAX
enum { SHARING_CACHES_MAX = 6 };

/* Invalidated copies of one block in one cache of one CPU; one bit a word. */
struct sharing_invalidated {
    uint64_t lost;    /* words of invalidated lines that have not been refetched */
    uint64_t written; /* those of them that another CPU or a device has written since */
};

struct sharing {
    unsigned cpus, caches;
    uint32_t block_shift;
    /* Masks for the line that a CPU stores to: line_words has one bit for each word of a line; line_first are the bits
     * of a word's number in its block that select the first word of the line. */
    uint64_t line_words;
    uint32_t line_first;
    uint32_t *record_of;    /* by block: index of its record, or 0 */
    uint32_t records, room; /* record 0 is not used */
    /* [record][cpu][cache], step elements a record, one bit a word: `lost` are the words of invalidated copies,
     * `unwritten` those of them that have not been written since. */
    /* by cache: the first CPU of those that share one, as a mask of the CPU's number; what they have lost has that CPU
     */
    uint32_t first[SHARING_CACHES_MAX];
    bool shares; /* CPUs share a cache */
    uint32_t step;
    uint64_t *lost, *unwritten;
    uint64_t *unwritten_anywhere; /* by record: the union of `unwritten` over all caches */
};

/* For CPUS (at most 64) with CACHES each, whose coherence block is BLOCK bytes. STORE_LINE: line size of the cache that
 * receives a CPU's stores. SHARED: by cache, how many CPUs share one, a power of two, or 0. Out of memory aborts. */
void sharing_init(struct sharing *sharing, unsigned cpus, unsigned caches, uint32_t block, uint32_t store_line,
                  const unsigned shared[]);
void sharing_release(struct sharing *sharing);

/* For checkpoints. sharing_invalidated returns the words that CACHE of CPU has lost in a record's block.
 * sharing_add_record creates the record of BLOCK, which has none, from LOSSES: [cpu][cache]. */
struct sharing_invalidated sharing_invalidated(const struct sharing *sharing, uint32_t record, unsigned cpu,
                                               unsigned cache);
void sharing_add_record(struct sharing *sharing, uint32_t block, const struct sharing_invalidated *losses);

/* The line of SIZE bytes at LINE in CACHE of CPU was invalidated by a store (sharing_invalidate), or was refetched
 * (sharing_refetch). */
void sharing_invalidate(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size);
void sharing_refetch(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size);

/* CACHE of CPU has lost the line to an invalidation: whether another CPU or a device has since written one of the words
 * of the SIZE bytes at ADDRESS. */
bool sharing_is_true(const struct sharing *sharing, unsigned cpu, unsigned cache, paddr address, uint32_t size);

/* The end of the block of ADDRESS. */
static inline uint64_t sharing_block_end(const struct sharing *sharing, paddr address)
{
    return (((uint64_t)address >> sharing->block_shift) + 1) << sharing->block_shift;
}

/* WRITER (a CPU or SHARING_DEVICE) stored SIZE bytes at ADDRESS, within one block. Returns false if later stores to the
 * line must be reported as well, because other caches have invalidated copies of it with words not written since. */
bool sharing_record_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size);
static inline bool sharing_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size)
{
    if (SIM_LIKELY(sharing->record_of[address >> sharing->block_shift] == 0))
        return true;
    return sharing_record_store(sharing, writer, address, size);
}
/* The same result without a store. */
bool sharing_record_may_store(const struct sharing *sharing, unsigned writer, paddr address);
static inline bool sharing_may_store(const struct sharing *sharing, unsigned writer, paddr address)
{
    if (SIM_LIKELY(sharing->record_of[address >> sharing->block_shift] == 0))
        return true;
    return sharing_record_may_store(sharing, writer, address);
}

#endif
