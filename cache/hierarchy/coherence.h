/* Coherence between CPUs, by the protocol of the page (cache/hierarchy/protocol.h). Private to cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_COHERENCE_H
#define SIMOS_CACHE_HIERARCHY_COHERENCE_H

#include "cache/hierarchy/node.h"

/* Result of a coherence transaction. */
struct transaction {
    bool owned;  /* CPU has the block in state M and may modify its copy */
    bool sent;   /* an upgrade or update was sent to the other CPUs */
    cycles time; /* cycles, of the whole transaction */
};

/* Read miss of ADDRESS in all caches of CPU's path. Returns the time in cycles. */
cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address);

/* Read-exclusive: REQUEST is a store that missed all caches of CPU's path and allocates the line. */
struct transaction coherence_read_exclusive(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Upgrade: REQUEST is a store to a coherence block that CPU holds. */
struct transaction coherence_upgrade(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Whether a CPU can own the block of ADDRESS without reading it. If so, CPU allocates the line of REQUEST, a store that
 * missed all caches of its path or those up to the one that has the line: another CPU's modified data are written back,
 * and all other copies are invalidated, by an upgrade. */
bool coherence_owns_unread(const struct memsys *memsys, paddr address);
struct transaction coherence_allocate(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* A CPU that has a line partly valid, and so in state M, reads it from memory. Returns the time in cycles. */
cycles coherence_read_rest(struct memsys *memsys);

/* A store of CPU that none of its caches keeps reaches memory. */
void coherence_write_around(struct memsys *memsys, unsigned cpu, paddr address);

/* A cache of CPU keeps a line of the block of ADDRESS that it got by such a store: as after a read, but nothing is
 * read. */
void coherence_keep(struct memsys *memsys, unsigned cpu, paddr address);

/* A device reads BLOCK, an address of a coherence block: a modified copy is written back. */
void coherence_device_read(struct memsys *memsys, paddr block);
/* A device writes BLOCK. coherence_device_update writes all copies too, which are then clean; coherence_device_write
 * invalidates them. WHOLE: the device overwrites the entire block. */
void coherence_device_update(struct memsys *memsys, paddr block, bool whole);
void coherence_device_write(struct memsys *memsys, paddr block, bool whole);

#endif
