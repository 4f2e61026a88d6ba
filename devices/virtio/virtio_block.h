/*
 * Disk: a virtio block device (Virtual I/O Device specification 1.1, section 5.2) over a disk image, behind a
 * virtio-mmio transport, with the timing of a drive (devices/disk/disk.h). One request queue.
 *
 * One cycle after the driver's notification the device takes all available requests from the ring, up to 256; a
 * register write itself processes nothing. The drive serves the requests one after the other, in order. Data is copied
 * when it is transferred over the drive's bus; status, used ring and interrupt follow when the request completes. A
 * write is in the image as soon as its data is copied; the time that the drive keeps it in its buffer affects only the
 * timing.
 *
 * Requests: IN, OUT, FLUSH, GET_ID; any other completes with UNSUPP. A request for which the device cannot write a
 * status (no buffer for it, rings or header outside RAM) sets DEVICE_NEEDS_RESET, and all requests in flight are
 * dropped. A host error (a damaged, truncated or full file) fails the request with IOERR.
 *
 * Cache mode: writeback (writes may complete in the drive's buffer; FLUSH writes them to the medium and the image to
 * stable storage) or writethrough (every write does so). The driver chooses: with CONFIG_WCE negotiated by the
 * configuration byte `writeback`, otherwise writeback if FLUSH was negotiated.
 *
 * Not modelled: several queues, discard, write zeroes, topology.
 */
#ifndef SIMOS_DEVICES_VIRTIO_VIRTIO_BLOCK_H
#define SIMOS_DEVICES_VIRTIO_VIRTIO_BLOCK_H

#include "devices/disk/disk.h"
#include "devices/disk/disk_image.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum {
    VIRTIO_BLOCK_SEG_MAX = 126,        /* data segments per request, as offered to the driver */
    VIRTIO_BLOCK_SIZE_MAX = 512 << 10, /* bytes per segment, as offered */
    VIRTIO_BLOCK_ID_BYTES = 20,
};

struct virtio_block;

/* Registers for physmem_add_device(), VIRTIO_MMIO_SIZE bytes; opaque is the struct virtio_block. */
extern const struct device_ops virtio_block_device_ops;

/* Create a disk over IMAGE (owned by the caller; must outlive the disk, as must QUEUE, MEM and LOG). ID: the serial
 * number that GET_ID returns, truncated to 20 bytes. LATENCY: cycles per request, at least one. Never NULL. */
struct virtio_block *virtio_block_create(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                         const char *id, cycles latency, struct irq_line irq, struct log *log);

/* As virtio_block_create(), with the timing of drive CONFIG, connected as disk NUMBER to BUS, which must outlive it
 * (not used by a fixed drive). */
struct virtio_block *virtio_block_create_drive(struct event_queue *queue, struct physmem *mem, struct disk_image *image,
                                               const char *id, const struct disk_config *config, struct scsi_bus *bus,
                                               unsigned number, struct irq_line irq, struct log *log);
void virtio_block_free(struct virtio_block *block);

/* The drive that models the timing. */
struct disk *virtio_block_drive(const struct virtio_block *block);

/* Register the saved sections PREFIX (the device), PREFIX.virtio, PREFIX.queue and PREFIX.drive (devices/disk/disk.h).
 * The owner of the image saves it. */
void virtio_block_register_saved(struct virtio_block *block, struct saved *saved, const char *prefix);

/* Register this disk's counters as PREFIX.reads and so on. */
void virtio_block_register_stats(const struct virtio_block *block, struct stats *stats, const char *prefix);

#endif
