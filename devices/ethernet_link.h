/*
 * The cable of one network card, with a full-duplex port at its far end: all timing of the network is here.
 *
 * Sending: a frame occupies the wire for its bits (preamble, check sequence and the gap behind it included, short
 * frames padded to 64 bytes; IEEE 802.3 clause 4.4.2) at net.bandwidth; it is complete at the far end net.latency after
 * its last bit. The card sends one frame at a time.
 *
 * Receiving: the backend says when a frame would be complete at the card. Frames come in order of these times (equal
 * ones in order of the calls), each no earlier than its own bits after the one before: as from a switch that cuts
 * through and queues. At most ETHERNET_LINK_QUEUE frames are on their way to the card; what comes on top is dropped and
 * counted.
 *
 * Not modelled: collisions, errors on the wire, flow control.
 */
#ifndef SIMOS_ETHERNET_LINK_H
#define SIMOS_ETHERNET_LINK_H

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

/* A cable with nothing at its far end yet: what is sent vanishes. BANDWIDTH: bits a second. QUEUE must outlive it.
 * Never NULL. */
struct ethernet_link *ethernet_link_create(struct event_queue *queue, uint64_t bandwidth, nsec latency,
                                           struct ethernet_receiver receiver);
void ethernet_link_free(struct ethernet_link *link);

/* What is at the far end; whoever listens. One each; a NULL function: nobody. */
void ethernet_link_connect(struct ethernet_link *link, struct ethernet_port port);
void ethernet_link_listen(struct ethernet_link *link, struct ethernet_tap tap);

/* WATCHER hears from now on; more than ETHERNET_WATCHERS_MAX are a bug. Who was added with OPAQUE does no longer: not
 * while one of them is being told. */
void ethernet_link_watch(struct ethernet_link *link, const struct ethernet_watcher *watcher);
void ethernet_link_unwatch(struct ethernet_link *link, const void *opaque);

/* For the card: send FRAME (ETHERNET_HEADER_BYTES..ETHERNET_MAX_BYTES long, else a bug) now; the wire must be free.
 * Returns when the next frame may begin. */
cycles ethernet_link_send(struct ethernet_link *link, const uint8_t *frame, uint32_t length);

/* When the next frame may begin: a time that has passed if the wire is free. */
cycles ethernet_link_send_free(const struct ethernet_link *link);

/* For the backend: FRAME would be complete at the card at WHEN (the past counts as the present). False if it was
 * dropped: too many are on their way, or a length that no frame has. */
bool ethernet_link_receive(struct ethernet_link *link, const uint8_t *frame, uint32_t length, cycles when);

/* Cycles between the moment at which anything is sent and its arrival, at least. */
cycles ethernet_link_lookahead(const struct ethernet_link *link);
/* net.latency in cycles: for a backend without a time of its own, WHEN = now + this. */
cycles ethernet_link_latency(const struct ethernet_link *link);

/* Save what is on the cable, as the section NAME. */
void ethernet_link_register_saved(struct ethernet_link *link, struct saved *saved, const char *name);

/* Register what went over the cable as PREFIX.sent_frames and so on. */
void ethernet_link_register_stats(const struct ethernet_link *link, struct stats *stats, const char *prefix);

#endif
