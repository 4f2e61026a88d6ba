/*
 * Split virtqueue, device side (Virtual I/O Device specification 1.1, section 2.6): rings in guest memory through which
 * a driver passes buffers to a device.
 *
 * Guest memory is untrusted: every access is checked, every loop is bounded by the queue size. A descriptor chain is
 * copied before use, so that neither the guest nor the device's own writes can change it during processing.
 *
 * Not modelled: indirect descriptors, event index, in-order use, packed rings; a device must not offer them.
 */
#ifndef SIMOS_DEVICES_VIRTIO_VIRTQUEUE_H
#define SIMOS_DEVICES_VIRTIO_VIRTQUEUE_H

#include "src/memory/physmem.h"
#include "src/base/types.h"

enum { VIRTQUEUE_MAX_SIZE = 256 };

/* Queue configuration of the driver, and the device's ring positions. Plain state. */
struct virtqueue {
    uint64_t desc, avail, used; /* guest-physical addresses of descriptor table, available ring and used ring */
    uint32_t size;              /* descriptors; a power of two while enabled */
    bool enabled;
    uint16_t next_avail; /* free-running index of the next available entry to take */
    uint16_t next_used;  /* free-running index of the next used entry to fill */
};

struct virtqueue_segment {
    uint64_t address;
    uint32_t length;
};

/* A descriptor chain: first the device-readable, then the device-writable segments. */
struct virtqueue_chain {
    uint16_t head;
    unsigned readable, writable;      /* number of segments of each kind */
    uint64_t read_bytes, write_bytes; /* total bytes of each kind; together at most 2^32 */
    struct virtqueue_segment segments[VIRTQUEUE_MAX_SIZE];
};

enum virtqueue_result {
    VIRTQUEUE_EMPTY,     /* nothing available */
    VIRTQUEUE_AVAILABLE, /* a chain was taken */
    VIRTQUEUE_BROKEN,    /* the driver violated the specification: the device needs a reset */
};

/* Reset the queue: disabled, all fields zero. */
void virtqueue_reset(struct virtqueue *queue);

/* NULL if the queue can be enabled, otherwise the reason (size or alignment). */
const char *virtqueue_check(const struct virtqueue *queue);

/* Enable the queue as configured, with both indices 0. NULL, or the reason (size or alignment) why it stays
 * disabled. */
const char *virtqueue_enable(struct virtqueue *queue);

/* Is a chain available? VIRTQUEUE_AVAILABLE if so; it is not taken. If broken, WHY is set to a constant text. */
enum virtqueue_result virtqueue_peek(const struct virtqueue *queue, struct physmem *mem, const char **why);

/* Take the next available chain. */
enum virtqueue_result virtqueue_pop_avail(struct virtqueue *queue, struct physmem *mem, struct virtqueue_chain *chain,
                                          const char **why);

/* Return the chain with head descriptor HEAD and WRITTEN bytes through the used ring. False: the used ring is not in
 * RAM. */
bool virtqueue_push_used(struct virtqueue *queue, struct physmem *mem, uint16_t head, uint32_t written);

/* Does the driver want a used buffer notification (interrupt)? */
bool virtqueue_needs_notification(const struct virtqueue *queue, struct physmem *mem);

/* Copy SIZE bytes at OFFSET of the device-readable (device-writable) bytes of the chain. False if the chain is too
 * short or not in RAM; part of the bytes may have been copied. */
bool virtqueue_chain_read(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset, void *buffer,
                          uint32_t size);
bool virtqueue_chain_write(const struct virtqueue_chain *chain, struct physmem *mem, uint64_t offset,
                           const void *buffer, uint32_t size);

/* Is every byte of the chain RAM? */
bool virtqueue_chain_is_ram(const struct virtqueue_chain *chain, const struct physmem *mem);

#endif
