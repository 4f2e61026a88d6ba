/*
 * Hearing of every miss of every cache as it happens, with its class if misses are classified. While nobody does,
 * nothing is called and nothing is slower. Nothing that is measured changes.
 */
#ifndef SIMOS_CACHE_MISS_WATCH_H
#define SIMOS_CACHE_MISS_WATCH_H

#include "cache/classify/classify.h"
#include "cache/memsys.h"

/* An access that a cache did not have the line of, or (UPGRADE) had to ask for the ownership of a line. */
struct watched_miss {
    unsigned cpu;
    enum memsys_cache cache;
    enum memsys_access access;
    bool upgrade;
    enum miss_class class; /* CLASS_COUNT: misses are not classified */
    vaddr pc;              /* as in struct memsys_request */
    vaddr virtual_address;
    paddr address;
    cycles now;
};

/* May read everything, but for beginning or ending a watch. */
typedef void miss_watch_fn(void *opaque, const struct watched_miss *miss);

struct miss_watch;

/* Call TOLD at the end of every access that missed, once for each cache that it missed, the first level first: its
 * stall has been charged, and the line is there. MEMSYS has caches and outlives the watch. */
struct miss_watch *miss_watch_begin(struct memsys *memsys, miss_watch_fn *told, void *opaque);
/* No longer. NULL is fine. */
void miss_watch_end(struct miss_watch *watch);

/* "l1d"; NULL if MEMSYS has no such cache. */
const char *miss_watch_cache_name(const struct memsys *memsys, enum memsys_cache cache);
/* The outermost cache that holds data. */
enum memsys_cache miss_watch_outermost(const struct memsys *memsys);

#endif
