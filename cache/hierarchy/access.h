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

/* memsys->bring of a memory system with caches. */
fetch_function access_bring;

/* Choose what memsys_access does (memsys->entry, plain), from the hierarchy and from who looks on. */
void access_choose(struct memsys *memsys);
/* What is fastest if nobody does: access_any, or a function made for one kind of first level. */
access_function *first_level_function(const struct memsys *memsys, enum memsys_access access);

#endif
