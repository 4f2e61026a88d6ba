/*
 * Observers of a level of a memory system: the stream of references to that level, as they are made.
 *
 * Level 1 receives what the CPUs request: every load and store to cached memory, and each line of the first-level
 * instruction cache when a CPU enters it (one reference a line, not one an instruction: the CPU models fetch lines).
 * Level 2 or 3 receives the misses of the level above it, stores that need an upgrade, and writes from the level above.
 * All levels also receive DMA, the CACHE instruction, and flushes. Uncached accesses are not included.
 *
 * Without observers nothing is called and nothing is slower.
 */
#ifndef SIMOS_CACHE_OBSERVE_OBSERVE_H
#define SIMOS_CACHE_OBSERVE_OBSERVE_H

#include "cache/reference.h"

/* A reference. All fields but mode and process, which the memory system does not know, are filled in. PERMISSION, for
 * level 1: the fast-path permission byte of the line (cache/memsys.h), which may be lowered; the observer does not
 * receive accesses that the byte permits. NULL: the observer receives every access. */
typedef void observe_fn(void *opaque, struct reference *reference, uint8_t *permission);

struct observer;

/* Starts to call REFER for every reference to LEVEL (1..3) of MEMSYS. */
struct observer *observe_begin(struct memsys *memsys, unsigned level, observe_fn *refer, void *opaque);
/* Ends the observation. Call before memsys_free(). OBSERVER may be NULL. */
void observe_end(struct observer *observer);

#endif
