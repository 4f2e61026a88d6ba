/*
 * Network card: a virtio network device (Virtual I/O Device specification 1.1, section 5.1) at one end of an Ethernet
 * cable (ethernet_link.h), behind a virtio-mmio transport. One receive queue, one transmit queue.
 *
 * Time: the card takes a frame from its transmit queue when the wire is free, at least one cycle after the
 * notification; at that time it reads the data and returns the buffer. A received frame is written to the driver's next
 * buffer when it is complete; if there is no buffer, or it is too short, the frame is lost.
 *
 * A malformed frame from the driver (no header, or one that requests offloads; too short, too long, not in RAM) is
 * dropped and counted. Broken rings and invalid receive buffers set DEVICE_NEEDS_RESET.
 *
 * Not modelled: checksum and segmentation offloads (the guest computes its own), merged receive buffers (no frame needs
 * more than one), several queues, the control queue with its filters and VLANs: the card receives every frame on the
 * wire.
 */
#ifndef SIMOS_DEVICES_VIRTIO_VIRTIO_NET_H
#define SIMOS_DEVICES_VIRTIO_VIRTIO_NET_H

#include "devices/ethernet_link.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

struct virtio_net;

/* Registers for physmem_add_device(), VIRTIO_MMIO_SIZE bytes; opaque is the struct virtio_net. */
extern const struct device_ops virtio_net_device_ops;

/* Create a card with ADDRESS, and its cable (BANDWIDTH: bits per second). QUEUE, MEM and LOG must outlive it. Never
 * NULL. */
struct virtio_net *virtio_net_create(struct event_queue *queue, struct physmem *mem,
                                     const uint8_t address[ETHERNET_ADDRESS_BYTES], uint64_t bandwidth, nsec latency,
                                     struct irq_line irq, struct log *log);
void virtio_net_free(struct virtio_net *net);

/* The card's cable, to which a backend is connected. It lives as long as the card. */
struct ethernet_link *virtio_net_link(struct virtio_net *net);
/* The card's MAC address. */
const uint8_t *virtio_net_address(const struct virtio_net *net);

/* Register the saved sections NAME (the card), NAME.virtio and NAME.cable. */
void virtio_net_register_saved(struct virtio_net *net, struct saved *saved, const char *name);

/* Register the counters of the card and of its cable as PREFIX.sent_frames and so on. */
void virtio_net_register_stats(const struct virtio_net *net, struct stats *stats, const char *prefix);

#endif
