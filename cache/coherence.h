/*
 * Coherence across CPUs: the 3-state (invalid, shared, dirty) write-invalidate protocol of SOSP'95 section 3.5.
 * Private to cache/.
 *
 * A line is dirty in one cache and absent from all others, or shared in any number of them. There is no clean-exclusive
 * state: the first store to a line that was read pays an upgrade even when nobody else holds it.
 */
#ifndef SIMOS_CACHE_COHERENCE_H
#define SIMOS_CACHE_COHERENCE_H

#include "cache/hierarchy.h"

/* CPU's second level is about to read LINE, which it does not hold: a cache that holds it dirty supplies it, writes it
 * back and keeps it shared; otherwise memory supplies it. */
void coherence_read(struct memsys *memsys, unsigned cpu, paddr line);

/* CPU is about to own LINE dirty, which it does not hold: all other copies go; a dirty one is handed over without being
 * written back; otherwise memory supplies the line. */
void coherence_own(struct memsys *memsys, unsigned cpu, paddr line);

/* CPU holds LINE shared and is about to own it dirty: all other copies go. */
void coherence_upgrade(struct memsys *memsys, unsigned cpu, paddr line);

/* A device reads from / writes to LINE; WHOLE if it overwrites all of it. */
void coherence_device_read(struct memsys *memsys, paddr line);
void coherence_device_write(struct memsys *memsys, paddr line, bool whole);

#endif
