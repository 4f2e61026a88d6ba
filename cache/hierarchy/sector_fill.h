/* Sectored caches (cache/state/array.h): where a line goes, and what leaves for it. Private to cache/hierarchy. */
#ifndef SIMOS_CACHE_HIERARCHY_SECTOR_FILL_H
#define SIMOS_CACHE_HIERARCHY_SECTOR_FILL_H

#include "cache/state/engine.h"

/* Makes room for LINE, which CPU's CACHE does not hold, in the set whose first entry is FIRST. If the cache has other
 * lines of its sector, the entry beside them, which is empty; otherwise the entry in the victim, a sector of which all
 * other lines are evicted. Returns the entry; it may hold a line, which is still to be evicted. */
uint32_t sector_place(struct memsys *memsys, unsigned cpu, struct array *cache, uint32_t first, paddr line);

#endif
