/*
 * Configuration space (specification section 5.1.4; read only):
 *
 *   0x00 u8[6] address      0x06 u16 status, 1 = the link is up      the rest 0 (not offered)
 *
 * Header of each frame, in both directions: { u8 flags; u8 gso_type; u16 hdr_len, gso_size, csum_start, csum_offset,
 * num_buffers }. Without offloads all fields are 0, except num_buffers = 1 of a received frame.
 */
#include "devices/virtio/virtio_net.h"

#include "devices/device_stats.h"
#include "devices/virtio/virtio_mmio.h"
#include <stdlib.h>
#include <string.h>

enum { DEVICE_ID_NET = 1, RECEIVE_QUEUE = 0, TRANSMIT_QUEUE = 1, QUEUES = 2 };
enum { CONFIG_STATUS = 0x06, CONFIG_BYTES = 0x08, LINK_IS_UP = 1 };

#define F_MAC    (1ull << 5)
#define F_STATUS (1ull << 16)

struct frame_header {
    uint8_t flags, gso_type;
    uint16_t hdr_len, gso_size, csum_start, csum_offset, num_buffers;
};

enum { HEADER_BYTES = 12 };
_Static_assert(sizeof(struct frame_header) == HEADER_BYTES, "the header as it lies in guest memory");

/* Between register accesses and events the card holds no frame: frames to transmit are in the ring, received frames on
 * the cable. Saved state: the transmit event's time, mmio.state and the cable. */
struct virtio_net {
    struct virtio_mmio mmio;
    struct ethernet_link *link;
    struct event transmit; /* transmits the next frame */
    struct event_queue *queue;
    struct physmem *mem;
    struct log *log;
    uint8_t config[CONFIG_BYTES]; /* begins with the MAC address */
    struct virtqueue_chain chain; /* valid only while a chain is processed */
    uint8_t frame[ETHERNET_MAX_BYTES];
    cycles busy_since; /* while the transmit event is scheduled */
    uint64_t malformed, no_buffer, short_buffer, busy_cycles;
};

/* Schedule the transmission of the next frame for the time when the wire is free. */
static void transmit_next(struct virtio_net *net)
{
    cycles soonest = net->queue->now + 1; /* simulated time advances even if each frame causes another one */
    cycles free = ethernet_link_send_free(net->link);
    event_schedule(net->queue, &net->transmit, free < soonest ? soonest : free);
}

/* Transmit */

/* Fetch the frame in the chain into net->frame and set LENGTH. NULL, or the reason why the frame is malformed. */
static const char *fetch_frame(struct virtio_net *net, uint32_t *length)
{
    const struct virtqueue_chain *chain = &net->chain;
    struct frame_header header;
    if (chain->writable)
        return "a frame to send in a buffer to write";
    if (chain->read_bytes < HEADER_BYTES + ETHERNET_HEADER_BYTES)
        return "a frame to send without a header";
    if (chain->read_bytes > HEADER_BYTES + ETHERNET_MAX_BYTES)
        return "a frame to send is too long";
    *length = (uint32_t)(chain->read_bytes - HEADER_BYTES);
    if (!virtqueue_chain_read(chain, net->mem, 0, &header, HEADER_BYTES) ||
        !virtqueue_chain_read(chain, net->mem, HEADER_BYTES, net->frame, *length))
        return "a frame to send is not in RAM";
    if (header.flags || header.gso_type)
        return "a frame to send wants offloads that were not offered";
    return NULL;
}

/* Transmit the frame in the chain and return the chain. NULL, or the reason why the queue is broken. */
static const char *send_chain(struct virtio_net *net, struct virtqueue *queue)
{
    uint32_t length;
    const char *wrong = fetch_frame(net, &length);
    if (wrong) {
        log_guest(net->log, "virtio_net.malformed", "network card: %s: dropped", wrong);
        net->malformed++;
    } else {
        ethernet_link_send(net->link, net->frame, length);
    }
    return virtqueue_push_used(queue, net->mem, net->chain.head, 0) ? NULL : "the used ring is not in RAM";
}

static void transmit_fire(void *opaque)
{
    struct virtio_net *net = opaque;
    struct virtqueue *queue = &net->mmio.state.queues[TRANSMIT_QUEUE];
    const char *why = NULL;
    net->busy_cycles += net->queue->now - net->busy_since;
    net->busy_since = net->queue->now;
    if (!virtio_mmio_is_ready(&net->mmio))
        return;
    if (net->queue->now < ethernet_link_send_free(net->link)) { /* only after a damaged checkpoint was loaded */
        transmit_next(net);
        return;
    }
    enum virtqueue_result result = virtqueue_pop_avail(queue, net->mem, &net->chain, &why);
    if (result == VIRTQUEUE_AVAILABLE) {
        why = send_chain(net, queue);
        if (!why && virtqueue_needs_notification(queue, net->mem))
            virtio_mmio_interrupt(&net->mmio);
    }
    if (why) {
        virtio_mmio_fail(&net->mmio, why);
    } else if (result == VIRTQUEUE_AVAILABLE) {
        transmit_next(net); /* at the end of this frame on the wire; the ring may then hold another one */
    }
}

/* Receive */

/* Write a frame to the chain and return the chain. NULL, or the reason why the queue is broken. */
static const char *fill_chain(struct virtio_net *net, struct virtqueue *queue, const uint8_t *frame, uint32_t length)
{
    const struct frame_header header = {.num_buffers = 1};
    if (!virtqueue_chain_write(&net->chain, net->mem, 0, &header, HEADER_BYTES) ||
        !virtqueue_chain_write(&net->chain, net->mem, HEADER_BYTES, frame, length))
        return "a buffer to receive into is not RAM";
    return virtqueue_push_used(queue, net->mem, net->chain.head, HEADER_BYTES + length) ? NULL
                                                                                        : "the used ring is not in RAM";
}

/* Take a chain with room for LENGTH bytes of frame. False if there is none, or the queue is broken (reason in WHY). */
static bool take_buffer(struct virtio_net *net, struct virtqueue *queue, uint32_t length, const char **why)
{
    uint16_t before = queue->next_avail;
    if (virtqueue_pop_avail(queue, net->mem, &net->chain, why) != VIRTQUEUE_AVAILABLE) {
        net->no_buffer += *why == NULL;
        return false;
    }
    if (net->chain.readable || net->chain.write_bytes < HEADER_BYTES) {
        *why = "a receive buffer that is not device-writable, or too short for a header";
        return false;
    }
    if (net->chain.write_bytes >= HEADER_BYTES + length)
        return true;
    queue->next_avail = before; /* keep the buffer: a shorter frame may fit */
    net->short_buffer++;
    return false;
}

static bool receive(void *opaque, const uint8_t *frame, uint32_t length)
{
    struct virtio_net *net = opaque;
    struct virtqueue *queue = &net->mmio.state.queues[RECEIVE_QUEUE];
    const char *why = NULL;
    if (!virtio_mmio_is_ready(&net->mmio)) {
        net->no_buffer++;
        return false;
    }
    bool taken = take_buffer(net, queue, length, &why);
    if (taken)
        why = fill_chain(net, queue, frame, length);
    if (why)
        virtio_mmio_fail(&net->mmio, why);
    else if (taken && virtqueue_needs_notification(queue, net->mem))
        virtio_mmio_interrupt(&net->mmio);
    return taken && !why;
}

/* Interface to the transport */

static void net_notify(void *opaque, unsigned index)
{
    struct virtio_net *net = opaque;
    if (index != TRANSMIT_QUEUE || event_is_scheduled(&net->transmit))
        return;
    net->busy_since = net->queue->now;
    transmit_next(net);
}

static void net_reset(void *opaque)
{
    struct virtio_net *net = opaque;
    event_cancel(net->queue, &net->transmit);
}

static uint32_t net_config_read(void *opaque, uint32_t offset, unsigned size)
{
    const struct virtio_net *net = opaque;
    uint32_t value = 0;
    if (offset < CONFIG_BYTES && size <= CONFIG_BYTES - offset)
        memcpy(&value, net->config + offset, size);
    return value;
}

static const struct virtio_ops net_ops = {
    .name = "network card",
    .device_id = DEVICE_ID_NET,
    .queue_count = QUEUES,
    .config_read = net_config_read,
    .notify = net_notify,
    .reset = net_reset,
};

static uint32_t net_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct virtio_net *net = opaque;
    return virtio_mmio_device_ops.read(&net->mmio, offset, size, cpu);
}

static void net_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct virtio_net *net = opaque;
    virtio_mmio_device_ops.write(&net->mmio, offset, size, value, cpu);
}

const struct device_ops virtio_net_device_ops = {.name = "network card", .read = net_read, .write = net_write};

/* Creation */

struct virtio_net *virtio_net_create(struct event_queue *queue, struct physmem *mem,
                                     const uint8_t address[ETHERNET_ADDRESS_BYTES], uint64_t bandwidth, nsec latency,
                                     struct irq_line irq, struct log *log)
{
    struct virtio_net *net = checked_memory(calloc(1, sizeof *net));
    const uint16_t status = LINK_IS_UP;
    net->queue = queue;
    net->mem = mem;
    net->log = log;
    memcpy(net->config, address, ETHERNET_ADDRESS_BYTES);
    memcpy(net->config + CONFIG_STATUS, &status, sizeof status);
    net->link = ethernet_link_create(queue, bandwidth, latency, (struct ethernet_receiver){receive, net});
    virtio_mmio_init(&net->mmio, &net_ops, net, F_MAC | F_STATUS, irq, log);
    event_init(&net->transmit, "network card", transmit_fire, net);
    return net;
}

void virtio_net_free(struct virtio_net *net)
{
    if (!net)
        return;
    event_cancel(net->queue, &net->transmit);
    ethernet_link_free(net->link);
    free(net);
}

struct ethernet_link *virtio_net_link(struct virtio_net *net)
{
    return net->link;
}

const uint8_t *virtio_net_address(const struct virtio_net *net)
{
    return net->config;
}

void virtio_net_register_stats(const struct virtio_net *net, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"transmit_cycles", "cycles", "time that frames to transmit were in the ring or on the wire",
         &net->busy_cycles},
        {"malformed", "frames", "malformed frames from the driver, dropped", &net->malformed},
        {"no_buffer", "frames", "frames lost because the driver had no buffer ready, or was not up", &net->no_buffer},
        {"short_buffer", "frames", "frames lost because the next buffer was too short", &net->short_buffer},
        {"notifications", "writes", "times the driver notified the card", &net->mmio.notifications},
        {"interrupts", "interrupts", "times the interrupt line was raised", &net->mmio.interrupts},
        {"needs_reset", "times", "driver errors that stopped the card (DEVICE_NEEDS_RESET)", &net->mmio.needs_reset},
    };
    ethernet_link_register_stats(net->link, stats, prefix);
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

/* Checkpoint */

static const struct saved_field fields[] = {
    SAVED_FIELD(struct virtio_net, transmit, SAVED_EVENT), SAVED_FIELD(struct virtio_net, busy_since, SAVED_TIME),
    SAVED_STATISTIC(struct virtio_net, malformed),         SAVED_STATISTIC(struct virtio_net, no_buffer),
    SAVED_STATISTIC(struct virtio_net, short_buffer),      SAVED_STATISTIC(struct virtio_net, busy_cycles),
};

void virtio_net_register_saved(struct virtio_net *net, struct saved *saved, const char *name)
{
    char part[SAVED_NAME_MAX + 1];
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .fields = fields,
                                             .field_count = sizeof fields / sizeof fields[0],
                                             .base = net});
    snprintf(part, sizeof part, "%s.virtio", name);
    virtio_mmio_register_saved(&net->mmio, saved, part);
    snprintf(part, sizeof part, "%s.cable", name);
    ethernet_link_register_saved(net->link, saved, part);
}
