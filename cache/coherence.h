/*
 * Coherence across CPUs. Private to cache/. Which protocol: the page's (protocol_of).
 *
 * Invalidation: the 3-state (invalid, shared, dirty) protocol of SOSP'95 section 3.5. There is no clean-exclusive
 * state: the first store to a line that was read pays an upgrade even when nobody else holds it. MESI: Papamarcos and
 * Patel, ISCA'84 ("Illinois"): a clean-exclusive state, and caches supply clean lines too. Firefly: Thacker, Stewart
 * and Satterthwaite, IEEE TC August 1988: a store to a shared line goes to memory and to all who hold it; a line that
 * nobody else has is written back.
 */
#ifndef SIMOS_CACHE_COHERENCE_H
#define SIMOS_CACHE_COHERENCE_H

#include "cache/node.h"

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
