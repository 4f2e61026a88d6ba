/*
 * Registers (specification table 4.1; 32 bits wide, little-endian; R read, W write):
 *
 *   0x000 R  MagicValue "virt"             0x044 RW QueueReady
 *   0x004 R  Version 2                     0x050 W  QueueNotify       number of the queue
 *   0x008 R  DeviceID                      0x060 R  InterruptStatus   1 used buffers, 2 configuration change
 *   0x00c R  VendorID                      0x064 W  InterruptACK
 *   0x010 R  DeviceFeatures                0x070 RW Status            0 = reset
 *   0x014 W  DeviceFeaturesSel             0x080 W  QueueDescLow      0x084 W  QueueDescHigh
 *   0x020 W  DriverFeatures                0x090 W  QueueDriverLow    0x094 W  QueueDriverHigh   (available ring)
 *   0x024 W  DriverFeaturesSel             0x0a0 W  QueueDeviceLow    0x0a4 W  QueueDeviceHigh   (used ring)
 *   0x030 W  QueueSel                      0x0b0 R  SHMLenLow, 0x0b4 R SHMLenHigh: all ones = no region
 *   0x034 R  QueueNumMax                   0x0fc R  ConfigGeneration
 *   0x038 W  QueueNum                      0x100.. RW configuration, accesses of 1, 2 and 4 bytes
 *
 * Status: 1 ACKNOWLEDGE, 2 DRIVER, 4 DRIVER_OK, 8 FEATURES_OK, 0x40 DEVICE_NEEDS_RESET, 0x80 FAILED.
 */
#include "devices/virtio/virtio_mmio.h"

enum {
    REG_MAGIC = 0x000,
    REG_VERSION = 0x004,
    REG_DEVICE_ID = 0x008,
    REG_VENDOR_ID = 0x00c,
    REG_DEVICE_FEATURES = 0x010,
    REG_DEVICE_FEATURES_SEL = 0x014,
    REG_DRIVER_FEATURES = 0x020,
    REG_DRIVER_FEATURES_SEL = 0x024,
    REG_QUEUE_SEL = 0x030,
    REG_QUEUE_NUM_MAX = 0x034,
    REG_QUEUE_NUM = 0x038,
    REG_QUEUE_READY = 0x044,
    REG_QUEUE_NOTIFY = 0x050,
    REG_INTERRUPT_STATUS = 0x060,
    REG_INTERRUPT_ACK = 0x064,
    REG_STATUS = 0x070,
    REG_QUEUE_DESC_LOW = 0x080,
    REG_QUEUE_DESC_HIGH = 0x084,
    REG_QUEUE_DRIVER_LOW = 0x090,
    REG_QUEUE_DRIVER_HIGH = 0x094,
    REG_QUEUE_DEVICE_LOW = 0x0a0,
    REG_QUEUE_DEVICE_HIGH = 0x0a4,
    REG_SHM_LEN_LOW = 0x0b0,
    REG_SHM_LEN_HIGH = 0x0b4,
    REG_CONFIG_GENERATION = 0x0fc,
    REG_CONFIG = 0x100,
};
enum { MAGIC = 0x74726976, VERSION = 2, VENDOR_ID = 0x4f4d4953 /* "SIMO" */ };
/* Bits of the device status field (virtio 1.2 section 2.1). */
enum { DRIVER_OK = 4, FEATURES_OK = 8, DEVICE_NEEDS_RESET = 0x40, DEFINED_BITS = 0xcf };
enum { INTERRUPT_USED = 1, INTERRUPT_CONFIG = 2 };

static void update_line(struct virtio_mmio *mmio)
{
    irq_set(&mmio->irq, mmio->state.interrupt_status != 0);
}

static void raise_interrupt(struct virtio_mmio *mmio, uint32_t cause)
{
    mmio->interrupts += mmio->state.interrupt_status == 0;
    mmio->state.interrupt_status |= cause;
    update_line(mmio);
}

void virtio_mmio_init(struct virtio_mmio *mmio, const struct virtio_ops *ops, void *opaque, uint64_t features,
                      struct irq_line irq, struct log *log)
{
    if (ops->queue_count == 0 || ops->queue_count > VIRTIO_MMIO_MAX_QUEUES)
        log_bug("%s: %u queues", ops->name, ops->queue_count);
    *mmio = (struct virtio_mmio){
        .ops = ops, .opaque = opaque, .features = features | VIRTIO_F_VERSION_1, .irq = irq, .log = log};
}

bool virtio_mmio_is_ready(const struct virtio_mmio *mmio)
{
    return (mmio->state.status & (DRIVER_OK | DEVICE_NEEDS_RESET)) == DRIVER_OK;
}

void virtio_mmio_interrupt(struct virtio_mmio *mmio)
{
    raise_interrupt(mmio, INTERRUPT_USED);
}

void virtio_mmio_fail(struct virtio_mmio *mmio, const char *why)
{
    log_guest(mmio->log, "virtio.needs_reset", "%s: %s: stopped until it is reset", mmio->ops->name, why);
    mmio->needs_reset++;
    bool driver_ok = mmio->state.status & DRIVER_OK;
    mmio->state.status |= DEVICE_NEEDS_RESET;
    if (driver_ok)
        raise_interrupt(mmio, INTERRUPT_CONFIG);
}

static void reset(struct virtio_mmio *mmio)
{
    mmio->state = (struct virtio_mmio_state){0};
    mmio->ops->reset(mmio->opaque);
    update_line(mmio);
}

static void write_status(struct virtio_mmio *mmio, uint32_t value)
{
    struct virtio_mmio_state *state = &mmio->state;
    value &= DEFINED_BITS;
    if (value == 0) {
        reset(mmio);
        return;
    }
    value = (value & ~(uint32_t)DEVICE_NEEDS_RESET) | (state->status & DEVICE_NEEDS_RESET);
    bool acceptable = !(state->driver_features & ~mmio->features) && (state->driver_features & VIRTIO_F_VERSION_1);
    if ((value & FEATURES_OK) && !acceptable) {
        log_guest(mmio->log, "virtio.features", "%s: the driver asks for features 0x%llx of 0x%llx", mmio->ops->name,
                  (unsigned long long)state->driver_features, (unsigned long long)mmio->features);
        value &= ~(uint32_t)FEATURES_OK; /* reads back clear, so that the driver detects the rejection */
    }
    if ((value & DRIVER_OK) && !(value & FEATURES_OK)) {
        log_guest(mmio->log, "virtio.driver_ok", "%s: DRIVER_OK without FEATURES_OK", mmio->ops->name);
        value &= ~(uint32_t)DRIVER_OK;
    }
    state->status = value;
}

static void write_driver_features(struct virtio_mmio *mmio, uint32_t value)
{
    struct virtio_mmio_state *state = &mmio->state;
    if (state->status & FEATURES_OK) {
        log_guest(mmio->log, "virtio.features_late", "%s: features written after FEATURES_OK", mmio->ops->name);
        return;
    }
    if (state->driver_features_sel == 0)
        state->driver_features = (state->driver_features & ~(uint64_t)UINT32_MAX) | value;
    else if (state->driver_features_sel == 1)
        state->driver_features = (state->driver_features & UINT32_MAX) | (uint64_t)value << 32;
}

static struct virtqueue *selected_queue(struct virtio_mmio *mmio)
{
    return mmio->state.queue_sel < mmio->ops->queue_count ? &mmio->state.queues[mmio->state.queue_sel] : NULL;
}

static void set_low(uint64_t *value, uint32_t low)
{
    *value = (*value & ~(uint64_t)UINT32_MAX) | low;
}

static void set_high(uint64_t *value, uint32_t high)
{
    *value = (*value & UINT32_MAX) | (uint64_t)high << 32;
}

static void write_queue_ready(struct virtio_mmio *mmio, struct virtqueue *queue, uint32_t value)
{
    if (!(value & 1)) {
        queue->enabled = false;
        return;
    }
    if (queue->enabled)
        return;
    const char *wrong = virtqueue_enable(queue);
    if (wrong)
        log_guest(mmio->log, "virtio.queue_ready", "%s: queue not enabled: %s", mmio->ops->name, wrong);
}

static void write_queue(struct virtio_mmio *mmio, uint32_t offset, uint32_t value)
{
    struct virtqueue *queue = selected_queue(mmio);
    if (!queue) {
        log_guest(mmio->log, "virtio.queue_sel", "%s: there is no queue %u", mmio->ops->name, mmio->state.queue_sel);
        return;
    }
    if (offset == REG_QUEUE_READY) {
        write_queue_ready(mmio, queue, value);
        return;
    }
    if (queue->enabled) {
        log_guest(mmio->log, "virtio.queue_live", "%s: a queue in use was written to", mmio->ops->name);
        return;
    }
    switch (offset) {
    case REG_QUEUE_NUM: queue->size = value; break;
    case REG_QUEUE_DESC_LOW: set_low(&queue->desc, value); break;
    case REG_QUEUE_DESC_HIGH: set_high(&queue->desc, value); break;
    case REG_QUEUE_DRIVER_LOW: set_low(&queue->avail, value); break;
    case REG_QUEUE_DRIVER_HIGH: set_high(&queue->avail, value); break;
    case REG_QUEUE_DEVICE_LOW: set_low(&queue->used, value); break;
    default: set_high(&queue->used, value); break;
    }
}

static void write_queue_notify(struct virtio_mmio *mmio, uint32_t value)
{
    if (value >= mmio->ops->queue_count || !virtio_mmio_is_ready(mmio)) {
        log_guest(mmio->log, "virtio.notify",
                  "%s: notification of queue %u, which does not exist, or while the device is not ready",
                  mmio->ops->name, value);
        return;
    }
    mmio->notifications++;
    mmio->ops->notify(mmio->opaque, value);
}

static uint32_t read_register(struct virtio_mmio *mmio, uint32_t offset)
{
    struct virtio_mmio_state *state = &mmio->state;
    const struct virtqueue *queue = selected_queue(mmio);
    switch (offset) {
    case REG_MAGIC: return MAGIC;
    case REG_VERSION: return VERSION;
    case REG_DEVICE_ID: return mmio->ops->device_id;
    case REG_VENDOR_ID: return VENDOR_ID;
    case REG_DEVICE_FEATURES:
        return state->device_features_sel > 1 ? 0 : (uint32_t)(mmio->features >> 32 * state->device_features_sel);
    case REG_QUEUE_NUM_MAX: return queue ? VIRTQUEUE_MAX_SIZE : 0;
    case REG_QUEUE_READY: return queue && queue->enabled;
    case REG_INTERRUPT_STATUS: return state->interrupt_status;
    case REG_STATUS: return state->status;
    case REG_SHM_LEN_LOW:
    case REG_SHM_LEN_HIGH: return UINT32_MAX;
    default: return 0; /* ConfigGeneration: the configuration never changes; other offsets are not readable */
    }
}

static void write_register(struct virtio_mmio *mmio, uint32_t offset, uint32_t value)
{
    struct virtio_mmio_state *state = &mmio->state;
    switch (offset) {
    case REG_DEVICE_FEATURES_SEL: state->device_features_sel = value; break;
    case REG_DRIVER_FEATURES: write_driver_features(mmio, value); break;
    case REG_DRIVER_FEATURES_SEL: state->driver_features_sel = value; break;
    case REG_QUEUE_SEL: state->queue_sel = value; break;
    case REG_QUEUE_NUM:
    case REG_QUEUE_READY:
    case REG_QUEUE_DESC_LOW:
    case REG_QUEUE_DESC_HIGH:
    case REG_QUEUE_DRIVER_LOW:
    case REG_QUEUE_DRIVER_HIGH:
    case REG_QUEUE_DEVICE_LOW:
    case REG_QUEUE_DEVICE_HIGH: write_queue(mmio, offset, value); break;
    case REG_QUEUE_NOTIFY: write_queue_notify(mmio, value); break;
    case REG_INTERRUPT_ACK:
        state->interrupt_status &= ~value;
        update_line(mmio);
        break;
    case REG_STATUS: write_status(mmio, value); break;
    default:
        log_guest(mmio->log, "virtio.write", "%s: write to offset 0x%x, where no writable register is", mmio->ops->name,
                  offset);
        break;
    }
}

static uint32_t mmio_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct virtio_mmio *mmio = opaque;
    (void)cpu;
    if (offset >= REG_CONFIG)
        return mmio->ops->config_read(mmio->opaque, offset - REG_CONFIG, size);
    if (size != 4) {
        log_guest(mmio->log, "virtio.width", "%s: register 0x%x read with %u bytes", mmio->ops->name, offset, size);
        return 0;
    }
    return read_register(mmio, offset);
}

static void mmio_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct virtio_mmio *mmio = opaque;
    (void)cpu;
    if (offset >= REG_CONFIG && mmio->ops->config_write)
        mmio->ops->config_write(mmio->opaque, offset - REG_CONFIG, size, value);
    else if (offset < REG_CONFIG && size != 4)
        log_guest(mmio->log, "virtio.width", "%s: register 0x%x written with %u bytes", mmio->ops->name, offset, size);
    else
        write_register(mmio, offset, value);
}

const struct device_ops virtio_mmio_device_ops = {.name = "virtio-mmio", .read = mmio_read, .write = mmio_write};

/* Checkpoint */

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct virtio_mmio, state.status, SAVED_U32, DEFINED_BITS),
    SAVED_LIMITED(struct virtio_mmio, state.interrupt_status, SAVED_U32, INTERRUPT_USED | INTERRUPT_CONFIG),
    SAVED_FIELD(struct virtio_mmio, state.device_features_sel, SAVED_U32),
    SAVED_FIELD(struct virtio_mmio, state.driver_features_sel, SAVED_U32),
    SAVED_FIELD(struct virtio_mmio, state.queue_sel, SAVED_U32),
    SAVED_FIELD(struct virtio_mmio, state.driver_features, SAVED_U64),
    SAVED_EACH(struct virtio_mmio, state.queues, desc, SAVED_U64),
    SAVED_EACH(struct virtio_mmio, state.queues, avail, SAVED_U64),
    SAVED_EACH(struct virtio_mmio, state.queues, used, SAVED_U64),
    SAVED_EACH(struct virtio_mmio, state.queues, size, SAVED_U32),
    SAVED_EACH(struct virtio_mmio, state.queues, enabled, SAVED_BOOL),
    SAVED_EACH(struct virtio_mmio, state.queues, next_avail, SAVED_U16),
    SAVED_EACH(struct virtio_mmio, state.queues, next_used, SAVED_U16),
    SAVED_STATISTIC(struct virtio_mmio, interrupts),
    SAVED_STATISTIC(struct virtio_mmio, notifications),
    SAVED_STATISTIC(struct virtio_mmio, needs_reset),
};

/* The features accepted by the driver must be offered, and every enabled queue must be valid. */
static bool after_load(void *base, struct err *err)
{
    const struct virtio_mmio *mmio = base;
    const struct virtio_mmio_state *state = &mmio->state;
    if ((state->status & FEATURES_OK) && (state->driver_features & ~mmio->features))
        return err_set(err, "%s: features 0x%llx; offered are only 0x%llx", mmio->ops->name,
                       (unsigned long long)state->driver_features, (unsigned long long)mmio->features);
    for (unsigned i = 0; i < VIRTIO_MMIO_MAX_QUEUES; i++) {
        const char *wrong = state->queues[i].enabled ? virtqueue_check(&state->queues[i]) : NULL;
        if (wrong || (state->queues[i].enabled && i >= mmio->ops->queue_count))
            return err_set(err, "%s: queue %u: %s", mmio->ops->name, i, wrong ? wrong : "there is none");
    }
    return true;
}

void virtio_mmio_register_saved(struct virtio_mmio *mmio, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .fields = fields,
                                             .field_count = sizeof fields / sizeof fields[0],
                                             .base = mmio,
                                             .ops = &ops});
}

void virtio_mmio_begin_node(struct tree_writer *tree, const char *name, paddr base, unsigned irq)
{
    tree_begin_at(tree, name, base);
    tree_registers(tree, "virtio,mmio", base, VIRTIO_MMIO_SIZE);
    tree_flag(tree, "dma-coherent");
    tree_interrupt(tree, irq);
}
