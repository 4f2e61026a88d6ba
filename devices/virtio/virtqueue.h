/*
 * Split virtqueue, device side (Virtual I/O Device specification 1.1, section 2.6): rings in guest memory through which
 * a driver hands buffers to a device.
 *
 * Everything in guest memory is hostile: each access is checked, each loop is bounded by the queue's size. A chain is
 * copied out before it is used, so that the guest (or the device's own writes) cannot change it under way.
 *
 * Not modelled: indirect descriptors, event index, in-order use, packed rings; a device must not offer them.
 */
#ifndef SIMOS_VIRTQUEUE_H
#define SIMOS_VIRTQUEUE_H

#include "src/base/physmem.h"
#include "src/base/types.h"

enum { VIRTQUEUE_MAX_SIZE = 256 };

/* What the driver programmed, and how far the device has come. Plain state. */
struct virtqueue {
    uint64_t desc, avail, used; /* guest-physical addresses of the three rings */
    uint32_t size;              /* descriptors; a power of two while enabled */
    bool enabled;
    uint16_t next_avail; /* free-running index of the next available entry to take */
    uint16_t next_used;  /* free-running index of the next used entry to fill */
};

struct virtqueue_segment {
    uint64_t address;
    uint32_t length;
};

/* One chain of buffers: first those the device reads, then those it writes. */
struct virtqueue_chain {
    uint16_t head;
    unsigned readable, writable;      /* number of segments of each kind */
    uint64_t read_bytes, write_bytes; /* their lengths in all; together at most 2^32 */
    struct virtqueue_segment segments[VIRTQUEUE_MAX_SIZE];
};

enum virtqueue_result {
    VIRTQUEUE_EMPTY,  /* nothing available */
    VIRTQUEUE_FILLED, /* a chain was taken */
    VIRTQUEUE_BROKEN, /* the driver broke the rules: the device needs a reset */
};

/* Disabled, all zero. */
void virtqueue_reset(struct virtqueue *queue);

/* NULL, or what is wrong with the size or an alignment, so that it could not be enabled. */
const char *virtqueue_check(const struct virtqueue *queue);

/* Enable as programmed, from index 0. NULL, or what is wrong with the size or an alignment (and it stays disabled). */
const char *virtqueue_enable(struct virtqueue *queue);

/* Is a chain available? (VIRTQUEUE_FILLED: yes; it is not taken.) WHY, if broken: a constant text. */
enum virtqueue_result virtqueue_look(const struct virtqueue *queue, struct physmem *mem, const char **why);

/* Take the next available chain. */
enum virtqueue_result virtqueue_take(struct virtqueue *queue, struct physmem *mem, struct virtqueue_chain *chain,
                                     const char **why);

/* Give the chain that began at descriptor HEAD back with WRITTEN bytes filled. False: the used ring is not in RAM. */
bool virtqueue_give_back(struct virtqueue *queue, struct physmem *mem, uint16_t head, uint32_t written);

/* Does the driver want an interrupt for what was given back? */
bool virtqueue_wants_interrupt(const struct virtqueue *queue, struct physmem *mem);

/* Copy SIZE bytes at OFFSET of the readable (writable) bytes of the chain. False if they end before, or where they are
 * not RAM; part may have been copied then. */
bool virtqueue_chain_read(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset, void *buffer,
                          uint32_t size);
bool virtqueue_chain_write(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset,
                           const void *buffer, uint32_t size);

/* Is every byte of the chain RAM? */
bool virtqueue_chain_is_ram(const struct virtqueue_chain *chain, const struct physmem *mem);

#endif
