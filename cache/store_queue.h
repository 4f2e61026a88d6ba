/*
 * The entries of a write buffer, in the order in which they were made.
 *
 * A store with room needs nothing but an entry: no other entry is looked at, and what has retired is found out later
 * (timing/write_buffer.h). So a CPU model may put a store into the queue in its own code, as store_queue_put() does.
 *
 * Ordering rule: the times of one CPU's stores do not decrease.
 */
#ifndef SIMOS_CACHE_STORE_QUEUE_H
#define SIMOS_CACHE_STORE_QUEUE_H

#include "src/base/types.h"

struct store_entry {
    paddr block;   /* address of an aligned block */
    uint32_t size; /* bytes of it that are written */
    cycles made;   /* time of the write */
    cycles extra;  /* additional time of the retirement */
    /* when the retirement is scheduled: the time at which it requests the next level, its start and its end */
    cycles requested, start, end;
    uint64_t padding[2]; /* to a power of two */
};
_Static_assert(sizeof(struct store_entry) == 64, "machine code multiplies by it");

struct store_queue {
    struct store_entry *entry; /* ring: entry N, counted from the first one ever made, is entry[N & mask] */
    uint64_t mask;
    uint64_t made;   /* entries made so far */
    uint64_t limit;  /* while `made` is below, there is room */
    uint64_t writes; /* writes so far; a write may make several entries, or none */
    uint32_t width;  /* bytes of a block, a power of two */
};

/* Puts a store of SIZE bytes at ADDRESS, made at NOW, into QUEUE. Returns false, without effects, if there is no room,
 * or if it needs more than one entry. */
static inline bool store_queue_put(struct store_queue *queue, cycles now, paddr address, uint32_t size)
{
    const uint32_t offset = address & (queue->width - 1);
    if (SIM_UNLIKELY(queue->made >= queue->limit || offset + size > queue->width))
        return false;
    struct store_entry *entry = &queue->entry[queue->made++ & queue->mask];
    entry->block = address - offset;
    entry->size = size;
    entry->made = now;
    entry->extra = 0;
    queue->writes++;
    return true;
}

#endif
