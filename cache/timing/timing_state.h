/*
 * Inside of timing: each CPU's buffers and ports, and the bus of all. Private to cache/timing*.c.
 *
 * Levels count from 0 here, as in struct timing_environment.
 */
#ifndef SIMOS_CACHE_TIMING_STATE_H
#define SIMOS_CACHE_TIMING_STATE_H

#include "cache/timing/bus.h"
#include "cache/timing/timing.h"
#include "cache/timing/write_buffer.h"
#include "src/base/board.h"

/* What a write buffer gives to its next level. */
struct timing_way_out {
    struct timing *timing;
    struct timing_node *node;
    unsigned level; /* the buffer is behind it */
};

struct timing_node {
    struct write_buffer buffer[TIMING_LEVELS];
    struct timing_way_out way_out[TIMING_LEVELS];
    struct resource *data_port[TIMING_LEVELS]; /* of unified levels too; NULL: any number of accesses at once */
    struct resource *insn_port[TIMING_LEVELS];
    struct resource_view data_view[TIMING_LEVELS], insn_view[TIMING_LEVELS];
};

struct timing {
    struct timing_environment environment;
    cycles data_occupancy[TIMING_LEVELS], insn_occupancy[TIMING_LEVELS];
    struct bus *bus; /* NULL: no contention */
    cycles latest;   /* time of the latest access */
    struct timing_node node[BOARD_MAX_CPUS];
};

/* Writes out of a buffer: NEXT is a struct timing_way_out. */
write_buffer_retire timing_retire;

#endif
