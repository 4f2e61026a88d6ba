/*
 * The cable of one network card, with a full-duplex port at its far end. It models all network timing.
 *
 * Transmit: a frame occupies the wire for its bits (including preamble, frame check sequence and interframe gap; short
 * frames padded to 64 bytes; IEEE 802.3 clause 4.4.2) at net.bandwidth. It arrives at the far end net.latency after its
 * last bit. The card sends one frame at a time.
 *
 * Receive: the backend gives the time at which a frame would be complete at the card. Frames arrive in order of these
 * times (equal ones in order of the calls), each separated from its predecessor by at least the time of its own bits:
 * as from a cut-through switch with a queue. At most ETHERNET_LINK_QUEUE frames are in flight to the card; further
 * frames are dropped and counted.
 *
 * Not modelled: collisions, bit errors, flow control.
 */
#ifndef SIMOS_DEVICES_ETHERNET_LINK_H
#define SIMOS_DEVICES_ETHERNET_LINK_H

#include "devices/ethernet.h"
#include "src/base/event.h"
#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/stats.h"

enum { ETHERNET_LINK_QUEUE = 512 };

struct ethernet_link;

/* net.bandwidth and net.latency. */
extern const struct param_def ethernet_link_params[];
extern const size_t ethernet_link_param_count;

/* Create a cable without a backend: frames sent are discarded. BANDWIDTH: bits per second. QUEUE must outlive the
 * cable. Never NULL. */
struct ethernet_link *ethernet_link_create(struct event_queue *queue, uint64_t bandwidth, nsec latency,
                                           struct ethernet_receiver receiver);
void ethernet_link_free(struct ethernet_link *link);

/* Connect the backend, and the packet capture. One of each; a NULL function disconnects it. */
void ethernet_link_connect(struct ethernet_link *link, struct ethernet_port port);
void ethernet_link_set_tap(struct ethernet_link *link, struct ethernet_tap tap);

/* Add WATCHER; more than ETHERNET_OBSERVERS_MAX are a bug. ethernet_link_remove_observer() removes the one added with
 * OPAQUE; it must not be called from an observer's callback. */
void ethernet_link_add_observer(struct ethernet_link *link, const struct ethernet_observer *watcher);
void ethernet_link_remove_observer(struct ethernet_link *link, const void *opaque);

/* Card: begin to send FRAME (ETHERNET_HEADER_BYTES..ETHERNET_MAX_BYTES long, else a bug) now; the wire must be free.
 * Returns the time at which the next frame may begin. */
cycles ethernet_link_send(struct ethernet_link *link, const uint8_t *frame, uint32_t length);

/* Cycles that BYTES (up to ETHERNET_MAX_BYTES) of a frame and the preamble before them take on a wire like this one. */
cycles ethernet_link_duration(const struct ethernet_link *link, uint32_t bytes);

/* The time at which the next frame may begin; in the past if the wire is free. */
cycles ethernet_link_send_free(const struct ethernet_link *link);

/* Backend: FRAME would be complete at the card at WHEN (a time in the past counts as the present). False if it was
 * dropped: too many frames in flight, or an invalid length. */
bool ethernet_link_receive(struct ethernet_link *link, const uint8_t *frame, uint32_t length, cycles when);

/* Lookahead: minimum number of cycles from the start of a transmission to its arrival. */
cycles ethernet_link_lookahead(const struct ethernet_link *link);
/* net.latency in cycles. A backend without its own clock passes WHEN = now + this. */
cycles ethernet_link_latency(const struct ethernet_link *link);

/* Register the saved section NAME: the frames on the cable and its counters. */
void ethernet_link_register_saved(struct ethernet_link *link, struct saved *saved, const char *name);

/* Register the cable's counters as PREFIX.sent_frames and so on. */
void ethernet_link_register_stats(const struct ethernet_link *link, struct stats *stats, const char *prefix);

#endif
