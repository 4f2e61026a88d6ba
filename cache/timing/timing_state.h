/*
 * Internal state of the contention model: write buffers and ports of each CPU, and the common bus. Private to
 * cache/timing*.c.
 *
 * Levels are numbered from 0, as in struct timing_environment.
 */
#ifndef SIMOS_CACHE_TIMING_STATE_H
#define SIMOS_CACHE_TIMING_STATE_H

#include "cache/timing/bus.h"
#include "cache/timing/timing.h"
#include "cache/timing/write_buffer.h"
#include "src/base/board.h"

/* Ports and occupancies: [0] for data, [1] for instructions, the same in a unified level. */
struct timing_node {
    struct write_buffer buffer[TIMING_LEVELS];
    struct resource *port[2][TIMING_LEVELS]; /* NULL: any number of accesses at once */
    struct resource_view view[2][TIMING_LEVELS];
};

struct timing {
    struct timing_environment environment;
    cycles occupancy[2][TIMING_LEVELS];
    cycles write_back_time[TIMING_LEVELS]; /* of a modified victim, before the fill; only without a write buffer */
    struct bus *bus;                       /* NULL: no bus and bank contention */
    cycles latest;                         /* time of the latest access */
    struct timing_node node[BOARD_MAX_CPUS];
};

/* Writes an entry of a write buffer to memory over the bus. */
write_buffer_retire timing_write_memory;

#endif
