/*
 * Guard bits of instructions: where a sequence of code that runs straight through memory ends (Xia and Torrellas, IEEE
 * TC 1999, section 4.2.1). In the machine the bit is in the control transfer itself; here it is a set of physical
 * addresses beside memory. Private to cache/.
 */
#ifndef SIMOS_CACHE_PREFETCH_GUARDS_H
#define SIMOS_CACHE_PREFETCH_GUARDS_H

#include "src/base/types.h"

enum {
    GUARDS_CHUNK_SHIFT = 20,
    GUARDS_CHUNKS = 1 << (32 - GUARDS_CHUNK_SHIFT),
    GUARDS_CHUNK_WORDS = 1 << (GUARDS_CHUNK_SHIFT - 8), /* of 64 instructions */
};

struct guards {
    uint64_t *chunk[GUARDS_CHUNKS]; /* a bit an instruction; NULL: none in this megabyte */
    uint64_t count;
};

/* Set or take away the guard of the instruction at ADDRESS. Out of memory aborts. */
void guards_set(struct guards *guards, paddr address, bool on);
/* No guards. */
void guards_clear(struct guards *guards);

/* Is there a guard in the aligned block of SIZE bytes, a power of two from 4 to 4096, at START? */
bool guards_in(const struct guards *guards, paddr start, uint32_t size);

/* The first guard at *ADDRESS or later: its address there. False: there is none. */
bool guards_next(const struct guards *guards, uint64_t *address);

#endif
