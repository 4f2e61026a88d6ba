/*
 * Devices on the bus: a queue of lines that they want, each asked for when the one before is done.
 *
 * A line takes the bus when time has come to it: before the first transaction that is later than its request. So it
 * cannot take the bus from CPUs for long, and what a device does in an instant of simulated time takes its time here.
 */
#ifndef SIMOS_CACHE_BUS_DMA_H
#define SIMOS_CACHE_BUS_DMA_H

#include "cache/timing/bus.h"

/* Consecutive lines of one kind are one entry. */
struct dma_line {
    enum bus_kind kind;
    paddr address;
    uint32_t size;  /* of a line, bytes */
    uint32_t lines; /* how many, each following the other; set by dma_request */
    cycles asked;   /* when the device wanted it */
};

struct dma {
    cycles interval;
    cycles next; /* the next line is asked for no sooner */
    struct dma_line *queue;
    uint32_t first, count, room; /* room: a power of two */
    uint64_t lines;              /* done */
};

void dma_init(struct dma *dma, cycles interval);
void dma_release(struct dma *dma);

/* Put LINE at the end of the queue. */
void dma_request(struct dma *dma, struct dma_line line);

/* The same for LINES of them, as an entry of their own. */
void dma_append(struct dma *dma, struct dma_line line, uint32_t lines);

/* Do what is asked for before the time NOW. */
void dma_proceed(struct bus *bus, cycles now);

#endif
