/*
 * Disk: a virtio block device (Virtual I/O Device specification 1.1, section 5.2) over a disk image, behind a
 * virtio-mmio transport. One request queue.
 *
 * Time: requests are served one after the other, each LATENCY cycles (at least one) after the disk turned to it; its
 * data moves and its interrupt is raised at that moment. Nothing is done inside a register write.
 *
 * Requests: IN, OUT, FLUSH, GET_ID; any other is answered UNSUPP. A request on which the device cannot even report a
 * status (no room for it, rings or header outside RAM) puts the device into the needs-reset state.
 *
 * Not modelled: seek and rotation, several queues, discard, write zeroes, topology, a configurable write cache.
 */
#ifndef SIMOS_VIRTIO_BLOCK_H
#define SIMOS_VIRTIO_BLOCK_H

#include "devices/disk_image.h"
#include "devices/irq.h"
#include "src/event.h"
#include "src/log.h"
#include "src/params.h"
#include "src/physmem.h"
#include "src/stats.h"

enum {
    VIRTIO_BLOCK_SEG_MAX = 126,        /* data segments a request, as offered to the driver */
    VIRTIO_BLOCK_SIZE_MAX = 512 << 10, /* bytes a segment, as offered */
    VIRTIO_BLOCK_ID_BYTES = 20,
};

struct virtio_block;

/* Registers for physmem_add_device(), VIRTIO_MMIO_SIZE bytes; opaque is the struct virtio_block. */
extern const struct device_ops virtio_block_device_ops;

/* The parameters of a disk (disk.latency). */
extern const struct param_def virtio_block_params[];
extern const size_t virtio_block_param_count;

/* A disk over IMAGE (which stays the caller's, and must outlive it, as must QUEUE, MEM and LOG). ID: the serial number
 * the guest can ask for, cut at 20 bytes. LATENCY: cycles a request. Never NULL. */
struct virtio_block *virtio_block_create(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                         const char *id, cycles latency, struct irq_line irq, struct log *log);
void virtio_block_free(struct virtio_block *block);

/* Register this disk's counters as PREFIX.reads and so on. */
void virtio_block_register_stats(const struct virtio_block *block, struct stats *stats, const char *prefix);

#endif
