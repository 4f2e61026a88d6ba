/*
 * Watching a level of a memory system: the stream of references that it sees, as they are made.
 *
 * Level 1 sees what the CPUs ask for: every load and store of cached memory, and the line of the first-level
 * instruction cache whenever a CPU enters it (one reference a line, not one an instruction: the CPU models fetch
 * lines). Level 2 or 3 sees what the level above it misses, the stores for which ownership has to be asked, and what is
 * written back to it. All levels see what devices do to memory, the CACHE instruction, and flushes. Uncached accesses
 * are no part of it.
 *
 * While nobody watches, nothing is called and nothing is slower.
 */
#ifndef SIMOS_CACHE_OBSERVE_H
#define SIMOS_CACHE_OBSERVE_H

#include "cache/reference.h"

/* A reference. All but mode and process, which the memory system does not know, is filled in. QUICK: of level 1, the
 * quick-check byte of the access's line (cache/memsys.h), which may be lowered; what it allows will not be seen. NULL:
 * everything is seen. */
typedef void observe_fn(void *opaque, struct reference *reference, uint8_t *quick);

struct observer;

/* Call REFER from now on for every reference of LEVEL (1..3) of MEMSYS. */
struct observer *observe_begin(struct memsys *memsys, unsigned level, observe_fn *refer, void *opaque);
/* No longer. Before memsys_free(). NULL is fine. */
void observe_end(struct observer *observer);

#endif
