/* The assist cache of a first-level data cache (cache/state/assist.h): which lines leave it, and for where. Private to
 * cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_ASSIST_FILL_H
#define SIMOS_CACHE_HIERARCHY_ASSIST_FILL_H

#include "cache/state/engine.h"

/* Empties the next slot of CPU's CACHE for the line of REQUEST, and returns its entry. The line in it moves into its
 * set, where it may evict another; or, if it is streamed, it is evicted. */
uint32_t assist_take_slot(struct memsys *memsys, unsigned cpu, struct array *cache,
                          const struct memsys_request *request);

/* The program hints that the line of REQUEST is streamed: it will not be used again soon. */
void assist_hint(struct array *cache, const struct memsys_request *request);

#endif
