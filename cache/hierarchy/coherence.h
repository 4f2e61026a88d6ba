/*
 * Coherence across CPUs, by the page's protocol (cache/hierarchy/protocol.h). Private to cache/.
 */
#ifndef SIMOS_CACHE_COHERENCE_H
#define SIMOS_CACHE_COHERENCE_H

#include "cache/hierarchy/node.h"

/* What a transaction came to. */
struct transaction {
    bool owned;  /* CPU's state is M: it may modify its copy */
    bool asked;  /* the other CPUs were asked for the ownership, or told of the store */
    cycles time; /* of the whole transaction */
};

/* CPU's path holds nothing of ADDRESS and is about to read it. The time. */
cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address);

/* CPU's path holds nothing of REQUEST's address, and is about to bring it in and store to it. */
struct transaction coherence_own(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* CPU holds the unit of REQUEST's address and is about to store to it. */
struct transaction coherence_gain(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* A store of CPU's reaches memory without any of its caches keeping it. */
void coherence_write(struct memsys *memsys, unsigned cpu, paddr address);

/* A device reads from / writes to UNIT; WHOLE if it overwrites all of it. */
void coherence_device_read(struct memsys *memsys, paddr unit);
/* A device writes to memory and to all copies of UNIT, which are clean then; WHOLE if it overwrites all of it. */
void coherence_device_update(struct memsys *memsys, paddr unit, bool whole);
void coherence_device_write(struct memsys *memsys, paddr unit, bool whole);

#endif
