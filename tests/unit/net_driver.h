/*
 * A virtio network card with RAM, clock and interrupt line, and its driver: set-up of the two queues, receive
 * buffers, and transmission of frames.
 */
#ifndef SIMOS_TESTS_UNIT_NET_DRIVER_H
#define SIMOS_TESTS_UNIT_NET_DRIVER_H

#include "devices/virtio/virtio_mmio.h"
#include "devices/virtio/virtio_net.h"
#include "tests/unit/virtio_driver.h"
#include <stdio.h>
#include <stdlib.h>

enum { NET_RECEIVE = 0, NET_TRANSMIT = 1, NET_QUEUES = 2, NET_HEADER = 12, NET_LOG = 64 };
enum { NET_RAM = 4 << 20, NET_RINGS = 0x10000, NET_DATA = 0x100000, NET_HZ = 100000000 };

struct net_queue {
    paddr desc, avail, used;
    uint16_t size, avail_index;
};

struct net_seen {
    cycles time;
    uint32_t length;
    uint8_t bytes[ETHERNET_MAX_BYTES];
};

struct net_bench {
    struct log *log;
    struct event_queue *queue;
    struct physmem *mem;
    struct virtio_net *net;
    struct net_queue queues[NET_QUEUES];
    bool line;
    unsigned sent; /* frames sent by the card; the last ones are kept */
    struct net_seen sends[NET_LOG];
};

static const uint8_t net_mac[ETHERNET_ADDRESS_BYTES] = {0x52, 0x54, 0, 1, 2, 3};

static inline void net_line(void *opaque, unsigned line, bool level)
{
    (void)line;
    ((struct net_bench *)opaque)->line = level;
}

static inline void net_sent(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct net_bench *b = opaque;
    struct net_seen *seen = &b->sends[b->sent++ % NET_LOG];
    (void)arrival;
    seen->time = b->queue->now;
    seen->length = length;
    memcpy(seen->bytes, frame, length);
}

/* 100 MHz, 100 Mbit/s: one bit per cycle. No latency. */
static inline void net_bench_open(struct net_bench *b)
{
    b->log = log_create(true);
    b->queue = event_queue_create(NET_HZ);
    b->mem = physmem_create(b->log, NULL);
    if (!b->mem || !physmem_add_ram(b->mem, 0, NET_RAM, NULL))
        abort();
    b->net = virtio_net_create(b->queue, b->mem, net_mac, NET_HZ, 0, (struct irq_line){net_line, b, 3}, b->log);
    ethernet_link_connect(virtio_net_link(b->net), (struct ethernet_port){net_sent, b});
}

static inline void net_bench_close(struct net_bench *b)
{
    virtio_net_free(b->net);
    physmem_free(b->mem);
    event_queue_free(b->queue);
    log_free(b->log);
}

static inline uint32_t net_get(struct net_bench *b, uint32_t offset)
{
    return virtio_net_device_ops.read(b->net, offset, 4, 0);
}

static inline void net_put(struct net_bench *b, uint32_t offset, uint32_t value)
{
    virtio_net_device_ops.write(b->net, offset, 4, value, 0);
}

/* Set up queue NUMBER with SIZE descriptors and rings from BASE (needs 12 KB). */
static inline void net_start_queue(struct net_bench *b, unsigned number, paddr base, uint16_t size)
{
    struct net_queue *queue = &b->queues[number];
    *queue = (struct net_queue){.desc = base, .avail = base + 0x1000, .used = base + 0x2000, .size = size};
    memset(physmem_host(b->mem, base), 0, 0x3000);
    net_put(b, VIRTIO_QUEUE_SEL, number);
    net_put(b, VIRTIO_QUEUE_NUM, size);
    net_put(b, VIRTIO_QUEUE_DESC, queue->desc);
    net_put(b, VIRTIO_QUEUE_DESC + 4, 0);
    net_put(b, VIRTIO_QUEUE_DRIVER, queue->avail);
    net_put(b, VIRTIO_QUEUE_DRIVER + 4, 0);
    net_put(b, VIRTIO_QUEUE_DEVICE, queue->used);
    net_put(b, VIRTIO_QUEUE_DEVICE + 4, 0);
    net_put(b, VIRTIO_QUEUE_READY, 1);
}

/* Reset, negotiate VERSION_1, MAC and STATUS, set up both queues, set DRIVER_OK. */
static inline void net_start(struct net_bench *b, uint16_t size)
{
    net_put(b, VIRTIO_STATUS, 0);
    net_put(b, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER);
    net_put(b, VIRTIO_DRIVER_FEATURES_SEL, 0);
    net_put(b, VIRTIO_DRIVER_FEATURES, 1u << 5 | 1u << 16);
    net_put(b, VIRTIO_DRIVER_FEATURES_SEL, 1);
    net_put(b, VIRTIO_DRIVER_FEATURES, 1);
    net_put(b, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER | VIRTIO_FEATURES_OK);
    for (unsigned i = 0; i < NET_QUEUES; i++)
        net_start_queue(b, i, NET_RINGS + i * 0x4000, size);
    net_put(b, VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER | VIRTIO_FEATURES_OK | VIRTIO_DRIVER_OK);
}

static inline void net_describe(struct net_bench *b, unsigned number, uint16_t descriptor, uint64_t address,
                                uint32_t length, uint16_t flags, uint16_t next)
{
    paddr place = b->queues[number].desc + descriptor * 16u;
    guest_store(b->mem, place, &address, 8);
    guest_store(b->mem, place + 8, &length, 4);
    guest_store16(b->mem, place + 12, flags);
    guest_store16(b->mem, place + 14, next);
}

/* Make the chain at descriptor HEAD available, without a notification. */
static inline void net_offer(struct net_bench *b, unsigned number, uint16_t head)
{
    struct net_queue *queue = &b->queues[number];
    guest_store16(b->mem, queue->avail + 4 + 2u * (queue->avail_index % queue->size), head);
    queue->avail_index++;
    guest_store16(b->mem, queue->avail + 2, queue->avail_index);
}

static inline uint16_t net_used(struct net_bench *b, unsigned number)
{
    return guest_load16(b->mem, b->queues[number].used + 2);
}

/* Bytes written, of used entry INDEX. */
static inline uint32_t net_used_written(struct net_bench *b, unsigned number, uint16_t index)
{
    const struct net_queue *queue = &b->queues[number];
    return guest_load32(b->mem, queue->used + 8 + 8u * (index % queue->size));
}

/* Send LENGTH bytes of FRAME, after a zero header, in one buffer at DATA with one descriptor. */
static inline void net_send(struct net_bench *b, uint16_t descriptor, paddr data, const uint8_t *frame, uint32_t length)
{
    memset(physmem_host(b->mem, data), 0, NET_HEADER);
    guest_store(b->mem, data + NET_HEADER, frame, length);
    net_describe(b, NET_TRANSMIT, descriptor, data, NET_HEADER + length, 0, 0);
    net_offer(b, NET_TRANSMIT, descriptor);
    net_put(b, VIRTIO_QUEUE_NOTIFY, NET_TRANSMIT);
}

static inline double net_counter(const struct net_bench *b, const char *name)
{
    struct stats *stats = stats_create();
    char full[64];
    double value = -1;
    virtio_net_register_stats(b->net, stats, "net");
    snprintf(full, sizeof full, "net.%s", name);
    if (!stats_value(stats, full, &value))
        value = -1;
    stats_free(stats);
    return value;
}

#endif
