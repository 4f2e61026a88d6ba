/*
 * The directory: sharers and state of each coherence block (of the last-level line size). The only copy
 * of the protocol's state. It holds what a real machine finds out by snooping or from its directory, so that a miss on
 * 16 CPUs need not search 16 caches.
 *
 * One entry (record) for each block of the 4 GB physical address space, in chunks that are allocated at first use. This
 * is bookkeeping of the simulator and not modelled hardware: it takes no simulated time. Private to cache/.
 */
#ifndef SIMOS_CACHE_STATE_DIRECTORY_H
#define SIMOS_CACHE_STATE_DIRECTORY_H

#include "src/base/types.h"

enum { DIRECTORY_CHUNK_SHIFT = 20, DIRECTORY_CHUNKS = 1 << (32 - DIRECTORY_CHUNK_SHIFT) };

/* A directory entry: bits 0..15 are the sharers, the CPUs that hold any part of the block. The other bits are set only
 * if there is one sharer: */
enum {
    DIRECTORY_SHARERS = 0xffff,
    DIRECTORY_OWNED = 1 << 16,    /* the sharer has exclusive ownership (E or M) */
    DIRECTORY_MODIFIED = 1 << 17, /* the sharer has modified the block: memory is out of date */
};

/* State of a block in one CPU. */
enum coherence_state { COHERENCE_I, COHERENCE_S, COHERENCE_E, COHERENCE_M };

struct directory {
    uint32_t line_shift;
    uint32_t *chunk[DIRECTORY_CHUNKS]; /* NULL: no sharers in this megabyte */
};

/* Initialises an empty directory for blocks of LINE bytes (a power of two, 4 .. 1 MB). */
void directory_init(struct directory *directory, uint32_t line);
void directory_release(struct directory *directory);
/* Removes all entries. */
void directory_clear(struct directory *directory);

/* The entry of ADDRESS's block, allocated if it does not exist. Valid until directory_clear. Out of memory aborts. */
uint32_t *directory_allocate(struct directory *directory, paddr address);

static inline size_t directory_offset(const struct directory *directory, paddr address)
{
    return (address & ((1u << DIRECTORY_CHUNK_SHIFT) - 1)) >> directory->line_shift;
}

/* Reads the entry of ADDRESS's block; 0: no sharers. */
static inline uint32_t directory_read(const struct directory *directory, paddr address)
{
    const uint32_t *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk[directory_offset(directory, address)] : 0;
}

static inline uint32_t *directory_at(struct directory *directory, paddr address)
{
    uint32_t *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk + directory_offset(directory, address)
                                     : directory_allocate(directory, address);
}

static inline enum coherence_state coherence_state(uint32_t record, unsigned cpu)
{
    if (!(record & 1u << cpu))
        return COHERENCE_I;
    return record & DIRECTORY_MODIFIED ? COHERENCE_M : record & DIRECTORY_OWNED ? COHERENCE_E : COHERENCE_S;
}

/* Entry of a block whose only sharer is CPU, in STATE (E or M). */
static inline uint32_t directory_owned_by(unsigned cpu, enum coherence_state state)
{
    return 1u << cpu | DIRECTORY_OWNED | (state == COHERENCE_M ? DIRECTORY_MODIFIED : 0);
}

/* RECORD without CPU as a sharer. If CPU was a sharer, the result has no owner. */
static inline uint32_t directory_without(uint32_t record, unsigned cpu)
{
    uint32_t left = record & ~(1u << cpu) & DIRECTORY_SHARERS;
    return record & 1u << cpu ? left : record;
}

/* Finds the first block with sharers at or after *ADDRESS. Returns false if there is none. For checks. */
bool directory_next(const struct directory *directory, uint64_t *address, uint32_t *record);

#endif
