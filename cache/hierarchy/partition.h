/* cache.l2.partition and cache.l3.partition: which ways of a cache the lines of a CPU take. Private to cache/hierarchy.
 */
#ifndef SIMOS_CACHE_HIERARCHY_PARTITION_H
#define SIMOS_CACHE_HIERARCHY_PARTITION_H

#include "cache/state/engine.h"

/* Partitions the caches of MEMSYS, which are built, as G says. Returns false with ERR naming the parameter if it is no
 * partition of such a cache. */
bool partition_caches(struct memsys *memsys, const struct geometry *g, struct err *err);

#endif
