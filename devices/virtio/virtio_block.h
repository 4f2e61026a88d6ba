/*
 * Disk: a virtio block device (Virtual I/O Device specification 1.1, section 5.2) over a disk image, behind a
 * virtio-mmio transport, and with the timing of a drive (devices/disk/disk.h). One request queue.
 *
 * Requests are taken from the ring a cycle after the driver's notification, all that are there, up to 256; nothing is
 * done inside a register write. The drive serves them one after the other and they end in that order: data moves when
 * it crosses the drive's bus, at the end status, used ring and interrupt. A write is in the image from the moment its
 * data moved; how long the drive then keeps it in its buffer is a matter of time only.
 *
 * Requests: IN, OUT, FLUSH, GET_ID; any other is answered UNSUPP. A request on which the device cannot even report a
 * status (no room for it, rings or header outside RAM) puts the device into the needs-reset state, and those under way
 * are forgotten. An error of the host (a damaged, cut or full file) is IOERR for the request that met it.
 *
 * Cache: written back (writes may end in the drive's buffer, FLUSH brings them to the medium and the image to the
 * host's disk) or through (every write ends so). The driver chooses: the byte `writeback` of the configuration if it
 * negotiated CONFIG_WCE, otherwise back if it negotiated FLUSH.
 *
 * Not modelled: several queues, discard, write zeroes, topology.
 */
#ifndef SIMOS_VIRTIO_BLOCK_H
#define SIMOS_VIRTIO_BLOCK_H

#include "devices/disk/disk.h"
#include "devices/disk/disk_image.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    VIRTIO_BLOCK_SEG_MAX = 126,        /* data segments a request, as offered to the driver */
    VIRTIO_BLOCK_SIZE_MAX = 512 << 10, /* bytes a segment, as offered */
    VIRTIO_BLOCK_ID_BYTES = 20,
};

struct virtio_block;

/* Registers for physmem_add_device(), VIRTIO_MMIO_SIZE bytes; opaque is the struct virtio_block. */
extern const struct device_ops virtio_block_device_ops;

/* A disk over IMAGE (which stays the caller's, and must outlive it, as must QUEUE, MEM and LOG). ID: the serial number
 * the guest can ask for, cut at 20 bytes. LATENCY: cycles a request, at least one is taken. Never NULL. */
struct virtio_block *virtio_block_create(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                         const char *id, cycles latency, struct irq_line irq, struct log *log);

/* The same with the time of the drive CONFIG, disk NUMBER on BUS (which must outlive it; a fixed drive needs none). */
struct virtio_block *virtio_block_create_drive(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                               const char *id, const struct disk_config *config, struct scsi_bus *bus,
                                               unsigned number, struct irq_line irq, struct log *log);
void virtio_block_free(struct virtio_block *block);

/* Its drive. */
struct disk *virtio_block_drive(const struct virtio_block *block);

/* Add the sections PREFIX (the device), PREFIX.virtio, PREFIX.queue and PREFIX.drive (devices/disk/disk.h). The image is its
 * owner's. */
void virtio_block_register_saved(struct virtio_block *block, struct saved *saved, const char *prefix);

/* Register this disk's counters as PREFIX.reads and so on. */
void virtio_block_register_stats(const struct virtio_block *block, struct stats *stats, const char *prefix);

#endif
