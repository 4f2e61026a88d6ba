/* Reports every miss of every cache as it happens, with its class if misses are classified. While no watch exists
 * nothing is called and nothing is slower. A watch does not change any measurement. */
#ifndef SIMOS_CACHE_CLASSIFY_MISS_OBSERVER_H
#define SIMOS_CACHE_CLASSIFY_MISS_OBSERVER_H

#include "cache/classify/classify.h"
#include "cache/memsys.h"

/* A miss of a cache or, if UPGRADE, a store that needed an upgrade. */
struct observed_miss {
    unsigned cpu;
    enum memsys_cache cache;
    enum memsys_access access;
    bool upgrade;
    enum miss_class class; /* CLASS_COUNT if misses are not classified */
    vaddr pc;              /* as in struct memsys_request */
    vaddr virtual_address;
    paddr address;
    cycles now;
    cycles stall; /* of the access: with the last cache that it missed; 0 with those before */
};

/* Called for each miss. May read all state, but must not begin or end a watch. */
typedef void miss_observer_fn(void *opaque, const struct observed_miss *miss);

struct miss_observer;

/* Starts a watch: calls NOTIFY at the end of every access that missed, once for each cache missed, first level first.
 * At that time the stall has been charged and the line is present. MEMSYS has caches and must outlive the watch. */
struct miss_observer *miss_observer_begin(struct memsys *memsys, miss_observer_fn *notify, void *opaque);
/* Ends WATCH, which may be NULL. */
void miss_observer_end(struct miss_observer *watch);

/* The outermost data or unified cache. */
enum memsys_cache miss_observer_outermost(const struct memsys *memsys);

#endif
