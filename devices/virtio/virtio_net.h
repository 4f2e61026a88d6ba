/*
 * Network card: a virtio network device (Virtual I/O Device specification 1.1, section 5.1) at one end of an Ethernet
 * cable (ethernet_link.h), behind a virtio-mmio transport. One queue to receive, one to transmit.
 *
 * Time: the card takes a frame from its transmit queue when the wire is free, at least a cycle after it was told of it;
 * its data is read, and the buffer given back, at that moment. A frame that has arrived is written into the driver's
 * next buffer at the moment it is complete; if there is none, or it is too short, the frame is lost.
 *
 * A frame that the driver has made badly (no header or one that asks for offloads, too short, too long, not in RAM) is
 * dropped and counted. Broken rings, and buffers to receive that are no such, put the device into the needs-reset
 * state.
 *
 * Not modelled: offloads of checksums and segmentation (the guest computes its own), merged receive buffers (no frame
 * needs more than one), several queues, the control queue with its filters and VLANs: every frame on the wire comes in.
 */
#ifndef SIMOS_VIRTIO_NET_H
#define SIMOS_VIRTIO_NET_H

#include "devices/ethernet_link.h"
#include "devices/irq.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

struct virtio_net;

/* Registers for physmem_add_device(), VIRTIO_MMIO_SIZE bytes; opaque is the struct virtio_net. */
extern const struct device_ops virtio_net_device_ops;

/* A card with ADDRESS, and its cable (net.bandwidth bits a second, net.latency). QUEUE, MEM and LOG must outlive it.
 * Never NULL. */
struct virtio_net *virtio_net_create(struct event_queue *queue, struct physmem *mem,
                                     const uint8_t address[ETHERNET_ADDRESS_BYTES], uint64_t bandwidth, nsec latency,
                                     struct irq_line irq, struct log *log);
void virtio_net_free(struct virtio_net *net);

/* The card's cable, to connect something to. It lives as long as the card. */
struct ethernet_link *virtio_net_link(struct virtio_net *net);
/* The card's address. */
const uint8_t *virtio_net_address(const struct virtio_net *net);

/* Save the card and its cable, as the sections NAME, NAME.virtio and NAME.cable. */
void virtio_net_register_saved(struct virtio_net *net, struct saved *saved, const char *name);

/* Register the counters of the card and of its cable as PREFIX.sent_frames and so on. */
void virtio_net_register_stats(const struct virtio_net *net, struct stats *stats, const char *prefix);

#endif
