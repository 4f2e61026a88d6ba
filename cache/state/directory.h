/*
 * The directory: sharers and state of each coherence block (of the last-level line size). The only copy
 * of the protocol's state. It holds what a real machine finds out by snooping or from its directory, so that a miss on
 * 64 CPUs need not search 64 caches.
 *
 * One entry (record) for each block of the 4 GB physical address space, in chunks that are allocated at first use. This
 * is bookkeeping of the simulator and not modelled hardware: it takes no simulated time. Private to cache/.
 */
#ifndef SIMOS_CACHE_STATE_DIRECTORY_H
#define SIMOS_CACHE_STATE_DIRECTORY_H

#include "src/base/board.h"
#include "src/base/types.h"

enum { DIRECTORY_CHUNK_SHIFT = 20, DIRECTORY_CHUNKS = 1 << (32 - DIRECTORY_CHUNK_SHIFT) };

/* A directory entry. 64 sharers and what the only one of them may do are more than the 64 bits of a word. */
struct directory_record {
    uint64_t sharers; /* bit N: CPU N holds any part of the block */
    bool owned;       /* there is one sharer, which has exclusive ownership (E or M) */
    bool modified;    /* it is owned, and modified: memory is out of date */
};
_Static_assert((int)BOARD_MAX_CPUS <= 64, "a bit for each CPU");

/* State of a block in one CPU. */
enum coherence_state { COHERENCE_I, COHERENCE_S, COHERENCE_E, COHERENCE_M };

struct directory {
    uint32_t line_shift;
    struct directory_record *chunk[DIRECTORY_CHUNKS]; /* NULL: no sharers in this megabyte */
};

/* Initialises an empty directory for blocks of LINE bytes (a power of two, 4 .. 1 MB). */
void directory_init(struct directory *directory, uint32_t line);
void directory_release(struct directory *directory);
/* Removes all entries. */
void directory_clear(struct directory *directory);

/* The entry of ADDRESS's block, allocated if it does not exist. Valid until directory_clear. Out of memory aborts. */
struct directory_record *directory_allocate(struct directory *directory, paddr address);

static inline size_t directory_offset(const struct directory *directory, paddr address)
{
    return (address & ((1u << DIRECTORY_CHUNK_SHIFT) - 1)) >> directory->line_shift;
}

/* Reads the entry of ADDRESS's block. */
static inline struct directory_record directory_read(const struct directory *directory, paddr address)
{
    const struct directory_record *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk[directory_offset(directory, address)] : (struct directory_record){0};
}

static inline struct directory_record *directory_at(struct directory *directory, paddr address)
{
    struct directory_record *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    return SIM_LIKELY(chunk != NULL) ? chunk + directory_offset(directory, address)
                                     : directory_allocate(directory, address);
}

/* The set of CPU alone, as in an entry. */
static inline uint64_t directory_bit(unsigned cpu)
{
    return UINT64_C(1) << cpu;
}

static inline enum coherence_state coherence_state(const struct directory_record *record, unsigned cpu)
{
    if (!(record->sharers & directory_bit(cpu)))
        return COHERENCE_I;
    return record->modified ? COHERENCE_M : record->owned ? COHERENCE_E : COHERENCE_S;
}

/* Entry of a block whose only sharer is CPU, in STATE (E or M). */
static inline struct directory_record directory_owned_by(unsigned cpu, enum coherence_state state)
{
    return (struct directory_record){directory_bit(cpu), true, state == COHERENCE_M};
}

/* Entry of a block that SHARERS hold in state S. */
static inline struct directory_record directory_shared_by(uint64_t sharers)
{
    return (struct directory_record){.sharers = sharers};
}

/* The owner of RECORD, if it has one, becomes a sharer in state S. */
static inline void directory_disown(struct directory_record *record)
{
    record->owned = record->modified = false;
}

/* Removes CPU as a sharer from RECORD. If it was one, there is no owner any more. */
static inline void directory_remove(struct directory_record *record, unsigned cpu)
{
    if (record->sharers & directory_bit(cpu))
        *record = directory_shared_by(record->sharers & ~directory_bit(cpu));
}

/* Finds the first block with sharers at or after *ADDRESS. Returns false if there is none. For checks. */
bool directory_next(const struct directory *directory, uint64_t *address, struct directory_record *record);

#endif
