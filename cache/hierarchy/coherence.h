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

/* Memory's tier. */

/* Read miss of ADDRESS in all caches of CPU's path. Returns the time in cycles. */
cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address);

/* Read-exclusive: REQUEST is a store that missed all caches of CPU's path and allocates the line. */
struct transaction coherence_read_exclusive(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Whether a CPU can own the block of ADDRESS without reading it. If so, CPU allocates the line of REQUEST, a store that
 * missed all caches of its path or those up to the one that has the line: another CPU's modified data are written back,
 * and all other copies are invalidated, by an upgrade. */
bool coherence_owns_unread(const struct memsys *memsys, paddr address);
struct transaction coherence_allocate(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* A CPU that has a line partly valid, and so in state M, reads it from memory. Returns the time in cycles. */
cycles coherence_read_rest(struct memsys *memsys, unsigned cpu, paddr address);

/* A store of CPU that none of its caches keeps reaches memory. */
void coherence_write_around(struct memsys *memsys, unsigned cpu, paddr address);

/* A cache of CPU keeps a line of the block of ADDRESS that it got by such a store: as after a read, but nothing is
 * read. */
void coherence_keep(struct memsys *memsys, unsigned cpu, paddr address);

/* Any tier */

/* Upgrade: REQUEST is a store to a coherence block that CPU's member of TIER holds. The members of the outer tiers that
 * it is in become owners, too. */
struct transaction coherence_upgrade(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                     const struct memsys_request *request);

/* TIER's home, a cache, has the block of ADDRESS, and supplies it to CPU, which missed its caches inside. Returns the
 * time in cycles that another member needs to supply it; 0: none does. */
cycles coherence_read_home(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address);
/* The same for the store REQUEST, whose line a cache of CPU inside the home allocates. */
struct transaction coherence_own_home(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                      const struct memsys_request *request);
/* TIER's home, a cache that is not inclusive, does not have the block of REQUEST, which CPU missed in its caches
 * inside; STORE: for a store. If another member has it and supplies it, the members' states change, and *RESULT is what
 * it takes. */
bool coherence_supply(struct memsys *memsys, struct tier *tier, unsigned cpu, const struct memsys_request *request,
                      bool store, struct transaction *result);
/* CPU's member of TIER has got the block of ADDRESS, which needs an entry in the home's sparse directory. An entry that
 * gives way takes its block out of the members. */
void coherence_hold(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address);
/* TIER's home, which missed the block of ADDRESS for CPU, has got it from outside and passes it on to CPU. OWNED: for a
 * store. */
void coherence_enter(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address, bool owned);
/* A store of CPU to ADDRESS passes from CPU's member of TIER to its home. */
void coherence_write_within(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address);

/* Devices */

/* A device reads BLOCK, an address of a coherence block: a modified copy is written back. */
void coherence_device_read(struct memsys *memsys, paddr block);
/* A device writes BLOCK. coherence_device_update writes all copies too, which are then clean; coherence_device_write
 * invalidates them. WHOLE: the device overwrites the entire block. */
void coherence_device_update(struct memsys *memsys, paddr block, bool whole);
void coherence_device_write(struct memsys *memsys, paddr block, bool whole);

#endif
