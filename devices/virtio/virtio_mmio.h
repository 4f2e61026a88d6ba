/*
 * virtio over memory-mapped registers, version 2 (Virtual I/O Device specification 1.1, section 4.2): the transport,
 * whatever device is behind it. The register table is in virtio_mmio.c.
 *
 * Not modelled: the legacy interface (version 1), shared memory regions, resetting a single queue.
 *
 * Device tree (BOARD_VIRTIO_BASE + n * BOARD_VIRTIO_STRIDE, interrupt BOARD_IRQ_VIRTIO + n, level high):
 *   compatible = "virtio,mmio"; reg = <base VIRTIO_MMIO_SIZE>; dma-coherent;
 *   interrupts = <GIC_SHARED BOARD_IRQ_VIRTIO+n IRQ_TYPE_LEVEL_HIGH>; only slots that hold a device get a node.
 */
#ifndef SIMOS_VIRTIO_MMIO_H
#define SIMOS_VIRTIO_MMIO_H

#include "devices/irq.h"
#include "devices/virtio/virtqueue.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/tree_writer.h"
#include "src/base/types.h"

enum {
    VIRTIO_MMIO_SIZE = 0x200, /* bytes of register space, configuration included */
    VIRTIO_MMIO_MAX_QUEUES = 4,
};

#define VIRTIO_F_VERSION_1 (1ull << 32)

/* What a device is, to the transport. */
struct virtio_ops {
    const char *name;
    uint32_t device_id;
    unsigned queue_count; /* 1..VIRTIO_MMIO_MAX_QUEUES */
    /* One access to the configuration space, SIZE 1, 2 or 4. */
    uint32_t (*config_read)(void *opaque, uint32_t offset, unsigned size);
    /* The driver says that queue INDEX has buffers. Only while the driver is ready and the device needs no reset. */
    void (*notify)(void *opaque, unsigned index);
    /* Drop everything in flight; the queues have been reset already. */
    void (*reset)(void *opaque);
    /* One write to the configuration space, SIZE 1, 2 or 4. NULL: nothing there can be written. */
    void (*config_write)(void *opaque, uint32_t offset, unsigned size, uint32_t value);
};

/* What the driver sees and sets. Plain state. */
struct virtio_mmio_state {
    uint32_t status, interrupt_status;
    uint32_t device_features_sel, driver_features_sel, queue_sel;
    uint64_t driver_features;
    struct virtqueue queues[VIRTIO_MMIO_MAX_QUEUES];
};

/* Part of the device behind it. */
struct virtio_mmio {
    struct virtio_mmio_state state;
    const struct virtio_ops *ops;
    void *opaque;
    uint64_t features; /* offered */
    struct irq_line irq;
    struct log *log;
    uint64_t interrupts, notifications, needs_reset; /* counters */
};

/* Registers for physmem_add_device(); opaque is the struct virtio_mmio. */
extern const struct device_ops virtio_mmio_device_ops;

void virtio_mmio_init(struct virtio_mmio *mmio, const struct virtio_ops *ops, void *opaque, uint64_t features,
                      struct irq_line irq, struct log *log);

/* May the device use the queues now? */
bool virtio_mmio_is_ready(const struct virtio_mmio *mmio);

/* Save the transport, as the section NAME. */
void virtio_mmio_register_saved(struct virtio_mmio *mmio, struct saved *saved, const char *name);

/* Begin the node NAME of the device tree, of a device whose registers are at BASE and whose interrupt is IRQ. The
 * caller may add properties, and ends it. */
void virtio_mmio_begin_node(struct tree_writer *tree, const char *name, paddr base, unsigned irq);

/* Interrupt the driver: used buffers. */
void virtio_mmio_interrupt(struct virtio_mmio *mmio);

/* The driver broke the rules (WHY): the device stops until it is reset, and says so (DEVICE_NEEDS_RESET). */
void virtio_mmio_fail(struct virtio_mmio *mmio, const char *why);

#endif
