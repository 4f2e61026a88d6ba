/*
 * An access on its way through the levels of one CPU. Private to cache/.
 */
#ifndef SIMOS_CACHE_ACCESS_H
#define SIMOS_CACHE_ACCESS_H

#include "cache/state/engine.h"

/* Any access of any hierarchy. */
access_function access_any;

/* The same, with what it waits for (memsys->timing). */
access_function access_timed;

/* REQUEST missed its first-level cache: everything else that it does. */
cycles access_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* A store to ENTRY, clean, of a first-level cache that writes back; touched already. */
cycles access_store_to_clean(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                             struct array *cache, uint32_t entry);

/* REQUEST, a read or fetch without a bucket, wants its line in FROM, a cache of CPU's path: bring it in unless it is
 * there. The time, the level that supplied it (1 more than there are: memory, another CPU) and its entry in FROM. No
 * miss is counted, nobody gets a quick-check byte. */
struct access_fetched {
    cycles time;
    unsigned level;
    uint32_t entry;
};
struct access_fetched access_bring(struct memsys *memsys, unsigned cpu, struct array *from,
                                   const struct memsys_request *request);

/* Choose what memsys_access does (memsys->entry, plain), from the hierarchy and from who looks on. */
void access_choose(struct memsys *memsys);
/* What is fastest if nobody does: access_any, or a function made for one kind of first level. */
access_function *first_level_function(const struct memsys *memsys, enum memsys_access access);

static inline struct array *first_of(struct memsys *memsys, unsigned cpu, enum memsys_access access)
{
    return memsys->first[access != MEMSYS_FETCH][cpu];
}

#endif
