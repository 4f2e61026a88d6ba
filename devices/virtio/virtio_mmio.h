/*
 * virtio over MMIO, version 2 (Virtual I/O Device specification 1.1, section 4.2): the transport of all virtio devices.
 * The register table is in virtio_mmio.c.
 *
 * Not modelled: the legacy interface (version 1), shared memory regions, reset of a single queue.
 *
 * Device tree (BOARD_VIRTIO_BASE + n * BOARD_VIRTIO_STRIDE, interrupt BOARD_IRQ_VIRTIO + n, level high):
 *   compatible = "virtio,mmio"; reg = <base VIRTIO_MMIO_SIZE>; dma-coherent;
 *   interrupts = <GIC_SHARED BOARD_IRQ_VIRTIO+n IRQ_TYPE_LEVEL_HIGH>; only slots that hold a device get a node.
 */
#ifndef SIMOS_DEVICES_VIRTIO_VIRTIO_MMIO_H
#define SIMOS_DEVICES_VIRTIO_VIRTIO_MMIO_H

#include "devices/irq.h"
#include "devices/virtio/virtqueue.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/tree_writer.h"
#include "src/base/types.h"

enum {
    VIRTIO_MMIO_SIZE = 0x200, /* bytes of register space, configuration included */
    VIRTIO_MMIO_MAX_QUEUES = 4,
};

#define VIRTIO_F_VERSION_1 (1ull << 32)

/* A device behind the transport. */
struct virtio_ops {
    const char *name;
    uint32_t device_id;
    unsigned queue_count; /* 1..VIRTIO_MMIO_MAX_QUEUES */
    /* Read SIZE bytes (1, 2 or 4) of the device configuration space. */
    uint32_t (*config_read)(void *opaque, uint32_t offset, unsigned size);
    /* The driver notified queue INDEX. Called only while DRIVER_OK is set and DEVICE_NEEDS_RESET is clear. */
    void (*notify)(void *opaque, unsigned index);
    /* Drop all requests in flight; the queues are already reset. */
    void (*reset)(void *opaque);
    /* Write SIZE bytes (1, 2 or 4) of the device configuration space. NULL: the space is read-only. */
    void (*config_write)(void *opaque, uint32_t offset, unsigned size, uint32_t value);
};

/* State set and read by the driver. Plain state. */
struct virtio_mmio_state {
    uint32_t status, interrupt_status;
    uint32_t device_features_sel, driver_features_sel, queue_sel;
    uint64_t driver_features;
    struct virtqueue queues[VIRTIO_MMIO_MAX_QUEUES];
};

/* The transport, embedded in the device. */
struct virtio_mmio {
    struct virtio_mmio_state state;
    const struct virtio_ops *ops;
    void *opaque;
    uint64_t features; /* device features offered to the driver */
    struct irq_line irq;
    struct log *log;
    uint64_t interrupts, notifications, needs_reset; /* counters */
};

/* Registers for physmem_add_device(); opaque is the struct virtio_mmio. */
extern const struct device_ops virtio_mmio_device_ops;

void virtio_mmio_init(struct virtio_mmio *mmio, const struct virtio_ops *ops, void *opaque, uint64_t features,
                      struct irq_line irq, struct log *log);

/* May the device use the queues: DRIVER_OK set and DEVICE_NEEDS_RESET clear? */
bool virtio_mmio_is_ready(const struct virtio_mmio *mmio);

/* Register the transport's saved section NAME. */
void virtio_mmio_register_saved(struct virtio_mmio *mmio, struct saved *saved, const char *name);

/* Begin the device tree node NAME of a device with registers at BASE and interrupt IRQ. The caller may add properties,
 * and ends the node. */
void virtio_mmio_begin_node(struct tree_writer *tree, const char *name, paddr base, unsigned irq);

/* Interrupt the driver: used buffer notification. */
void virtio_mmio_interrupt(struct virtio_mmio *mmio);

/* The driver violated the specification (WHY): set DEVICE_NEEDS_RESET; the device stops until it is reset. */
void virtio_mmio_fail(struct virtio_mmio *mmio, const char *why);

#endif
