/*
 * DMA on the bus: a queue of lines, each requested when the previous one is complete.
 *
 * A line is transferred before the first CPU transaction that is later than the line's request. A DMA burst therefore
 * does not hold the bus for long, and a transfer that the device performs at one instant of simulated time still takes
 * time on the bus.
 */
#ifndef SIMOS_CACHE_TIMING_BUS_DMA_H
#define SIMOS_CACHE_TIMING_BUS_DMA_H

#include "cache/timing/bus.h"

/* Consecutive lines of the same kind share an entry. */
struct dma_line {
    enum bus_kind kind;
    paddr address;
    uint32_t size;    /* bytes of one line */
    uint32_t lines;   /* number of consecutive lines; set by dma_request */
    cycles requested; /* time of the device's request */
};

struct dma {
    cycles interval;
    cycles next; /* earliest time of the next request */
    struct dma_line *queue;
    uint32_t first, count, room; /* room: allocated entries, a power of two */
    uint64_t lines;              /* lines transferred */
};

void dma_init(struct dma *dma, cycles interval);
void dma_release(struct dma *dma);

/* Appends LINE to the queue. */
void dma_request(struct dma *dma, struct dma_line line);

/* Appends LINES consecutive lines, the first of them LINE, as a separate entry. */
void dma_append(struct dma *dma, struct dma_line line, uint32_t lines);

/* Performs all requests up to time NOW. */
void dma_run(struct bus *bus, cycles now);

#endif
