/*
 * Internal state of the contention model: write buffers and ports of each CPU, and the common bus. Private to
 * cache/timing*.c.
 *
 * Levels are numbered from 0, as in struct timing_environment.
 */
#ifndef SIMOS_CACHE_TIMING_TIMING_STATE_H
#define SIMOS_CACHE_TIMING_TIMING_STATE_H

#include "cache/timing/bus.h"
#include "cache/timing/timing.h"
#include "cache/timing/write_buffer.h"
#include "src/base/board.h"

/* The port of a cache: its banks, which have its lines in turn and take one access at a time. */
struct timing_port {
    struct banks banks; /* none: any number of accesses at once */
    cycles occupancy;
    cycles prefetched; /* time when the last access for a prefetch ends */
    struct resource_view view[TIMING_BANKS_MAX];
};

/* The way from a level to the next, or from the last level to memory. */
struct timing_step {
    struct write_buffer buffer;  /* of the level's data or unified cache */
    uint32_t line;               /* of that cache, bytes */
    bool split;                  /* fetches come from another cache, and pass the buffer */
    struct timing_port *port[2]; /* of the next level: [0] for data, [1] for instructions; one port if unified */
};

/* Of a CPU: its ways, and those and the ports of the caches of which it is the first CPU. */
struct timing_node {
    struct timing_step *step[TIMING_LEVELS];
    struct timing_step own[TIMING_LEVELS];
    struct timing_port port[TIMING_LEVELS + 1][2]; /* by level; [TIMING_LEVELS]: memory, which has none */
};

struct timing {
    struct timing_environment environment;
    cycles occupancy[2][TIMING_LEVELS];
    uint32_t banks[2][TIMING_LEVELS];
    cycles write_back_time[TIMING_LEVELS]; /* of a modified victim, before the fill; only without a write buffer */
    struct bus *bus;                       /* NULL: no bus and bank contention */
    cycles latest;                         /* time of the latest access */
    struct timing_node node[BOARD_MAX_CPUS];
};

/* Whether CPU is the first of those that have the cache of LEVEL. */
static inline bool timing_is_first(const struct timing *timing, unsigned cpu, unsigned level)
{
    return timing->node[cpu].step[level] == &timing->node[cpu].own[level];
}

/* Writes an entry of a write buffer to memory over the bus. */
write_buffer_retire timing_write_memory;

#endif
