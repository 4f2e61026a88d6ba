/*
 * The cache.* and memory.* parameters as checked numbers. Private to cache/.
 */
#ifndef SIMOS_CACHE_GEOMETRY_H
#define SIMOS_CACHE_GEOMETRY_H

#include "src/params.h"
#include "src/types.h"

struct cache_geometry {
    uint32_t size; /* bytes */
    uint32_t line; /* bytes */
    uint32_t ways;
};

struct geometry {
    bool flat; /* no caches at all; the geometries below are then the smallest that work */
    bool upgrades_on_uniprocessor;
    struct cache_geometry l1i, l1d, l2;
    nsec l2_hit_ns, miss_ns, upgrade_ns, uncached_ns; /* "as memory.miss_time" resolved */
};

/* Read and check the combination. False with ERR naming the parameter that does not fit. */
bool geometry_from_params(struct geometry *geometry, const struct params *params, struct err *err);

#endif
