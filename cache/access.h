/* Cache accesses through the levels of one CPU. Private to cache/. */
#ifndef SIMOS_CACHE_ACCESS_H
#define SIMOS_CACHE_ACCESS_H

#include "cache/engine.h"

/* Performs any access in any hierarchy. */
access_function access_any;

/* Performs any access and adds its contention delays (memsys->timing). */
access_function access_timed;

/* Completes REQUEST, which missed its first-level cache. Returns the stall in cycles. */
cycles access_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Completes a store that hit ENTRY, which is clean, of a write-back first-level cache; the replacement order is up to
 * date. Returns the stall in cycles. */
cycles access_store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                             struct array *cache, uint32_t entry);

/* Brings the line of REQUEST, a read or fetch without a bucket, into FROM, a cache of CPU's path, unless it is present.
 * Returns the time in cycles, the level that supplied the line (memory or another CPU: number of levels + 1) and its
 * entry in FROM. Counts no miss and grants no fast-path permission. */
struct access_fetched {
    cycles time;
    unsigned level;
    uint32_t entry;
};
struct access_fetched access_bring(struct memsys *memsys, unsigned cpu, struct array *from,
                                   const struct memsys_request *request);

/* Selects the functions that memsys_access calls (memsys->entry, plain), by hierarchy and by attached observers. */
void access_choose(struct memsys *memsys);
/* The fastest function for the hierarchy without observers: access_any, or one specialised for the kind of first level.
 */
access_function *first_level_function(const struct memsys *memsys, enum memsys_access access);

static inline struct array *first_of(struct memsys *memsys, unsigned cpu, enum memsys_access access)
{
    return memsys->first[access != MEMSYS_FETCH][cpu];
}

#endif
