/*
 * Which CPUs hold a line: what the snooping or directory hardware of a machine finds out, kept by the simulator so that
 * a miss on 16 CPUs need not look through 16 caches. A bookkeeping device, not a model: it takes no time.
 *
 * One entry a second-level line of the 4 GB physical address space, in chunks allocated when first used.
 */
#ifndef SIMOS_CACHE_DIRECTORY_H
#define SIMOS_CACHE_DIRECTORY_H

#include "src/types.h"

enum { DIRECTORY_CHUNK_SHIFT = 20, DIRECTORY_CHUNKS = 1 << (32 - DIRECTORY_CHUNK_SHIFT) };

struct directory {
    uint32_t line_shift;
    uint16_t *chunk[DIRECTORY_CHUNKS]; /* NULL: nobody holds anything of this megabyte */
};

/* An empty directory of lines of LINE bytes (power of two, at most 1 MB). */
void directory_init(struct directory *directory, uint32_t line);
void directory_release(struct directory *directory);
/* Nobody holds anything. */
void directory_clear(struct directory *directory);

/* Bit N is set if CPU N holds the line of ADDRESS. */
static inline uint32_t directory_holders(const struct directory *directory, paddr address)
{
    const uint16_t *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    uint32_t offset = address & ((1u << DIRECTORY_CHUNK_SHIFT) - 1);
    return chunk ? chunk[offset >> directory->line_shift] : 0;
}

/* CPU (0..15) now holds / no longer holds the line of ADDRESS. Out of memory aborts. */
void directory_add(struct directory *directory, paddr address, unsigned cpu);
void directory_remove(struct directory *directory, paddr address, unsigned cpu);

/* Number of (line, holder) pairs. */
uint64_t directory_population(const struct directory *directory);

#endif
