/* Cache accesses through the levels of one CPU. Private to cache/. */
#ifndef SIMOS_CACHE_ACCESS_H
#define SIMOS_CACHE_ACCESS_H

#include "cache/state/engine.h"

/* Performs any access in any hierarchy. */
access_function access_any;

/* Performs any access and adds its contention delays (memsys->timing). */
access_function access_timed;

/* Performs a store, with contention delays if they are modelled, in a hierarchy that access_stores_through(): the first
 * level passes all stores on. */
access_function access_store_through;
bool access_stores_through(const struct memsys *memsys);

/* Completes REQUEST, which missed its first-level cache. Returns the stall in cycles. */
cycles access_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Completes a store that hit ENTRY, which is clean, of a write-back first-level cache; the replacement order is up to
 * date. Returns the stall in cycles. */
cycles access_store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                             struct array *cache, uint32_t entry);

/* memsys->bring of a memory system with caches. */
fetch_function access_fill_for_prefetch;

/* Selects the functions that memsys_access calls (memsys->entry, plain), by hierarchy and by attached observers. */
void access_choose(struct memsys *memsys);
/* The fastest function for the hierarchy without observers: access_any, or one specialised for the kind of first level.
 */
access_function *first_level_function(const struct memsys *memsys, enum memsys_access access);

#endif
