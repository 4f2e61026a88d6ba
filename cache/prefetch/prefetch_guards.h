/* Guard bits of instructions, which mark the end of a sequence of straight-line code (Xia and Torrellas, IEEE TC 1999,
 * section 4.2.1). In hardware the bit is part of the control transfer instruction; here guards are a set of physical
 * addresses, separate from memory. Private to cache/. */
#ifndef SIMOS_CACHE_PREFETCH_PREFETCH_GUARDS_H
#define SIMOS_CACHE_PREFETCH_PREFETCH_GUARDS_H

#include "src/base/types.h"

enum {
    GUARDS_CHUNK_SHIFT = 20,
    GUARDS_CHUNKS = 1 << (32 - GUARDS_CHUNK_SHIFT),
    GUARDS_CHUNK_WORDS = 1 << (GUARDS_CHUNK_SHIFT - 8), /* one for 64 instructions */
};

struct guards {
    uint64_t *chunk[GUARDS_CHUNKS]; /* one bit an instruction; NULL: no guards in this megabyte */
    uint64_t count;
};

/* Sets (ON) or clears the guard of the instruction at ADDRESS. Out of memory aborts. */
void guards_set(struct guards *guards, paddr address, bool on);
/* Removes all guards. */
void guards_clear(struct guards *guards);

/* Whether there is a guard in the block of SIZE bytes (a power of two from 4 to 4096) at START, aligned to SIZE. */
bool guards_in(const struct guards *guards, paddr start, uint32_t size);

/* Finds the first guard at *ADDRESS or later and puts its address there. Returns false if there is none. */
bool guards_next(const struct guards *guards, uint64_t *address);

#endif
