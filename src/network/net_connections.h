/*
 * Tracks the TCP connections of a guest through a user-mode network from the segments that pass, and builds the segment
 * by which a restored guest detects that a connection is lost.
 *
 * The network's end of a connection is a host socket, which is not in a checkpoint. A guest that sends on such a
 * connection gets a reset from the new network, which does not know it. A guest that only listens would wait forever:
 * it is sent a SYN. In any state of the connection it answers with an acknowledgement (RFC 5961 section 4.2), which the
 * network answers with a reset. A SYN for a connection that has ended causes a reset at most.
 */
#ifndef SIMOS_NETWORK_NET_CONNECTIONS_H
#define SIMOS_NETWORK_NET_CONNECTIONS_H

#include "devices/ethernet.h"
#include "src/base/saved.h"

enum { NET_CONNECTIONS_MAX = 128, NET_CONNECTION_FRAME = 60 };

/* In network byte order. */
struct net_connection {
    uint8_t guest[4], peer[4];
    uint8_t guest_port[2], peer_port[2];
    uint8_t ended; /* bit mask: FIN sent by the guest, by its peer */
};

/* Connections ordered by their last segment, the latest one last. */
struct net_connections {
    uint32_t count;
    struct net_connection list[NET_CONNECTIONS_MAX];
};

/* Note a frame of LENGTH bytes, accepted by net_filter_passes(), from the guest or to it. */
void net_connections_note(struct net_connections *connections, const uint8_t *frame, uint32_t length, bool from_guest);

/* Build the probe segment (SYN) from the network to the guest's card with address MAC in FRAME. */
void net_connection_probe(const struct net_connection *connection, const uint8_t mac[ETHERNET_ADDRESS_BYTES],
                          uint8_t frame[NET_CONNECTION_FRAME]);

/* Content of a saved section. Any content of the right length is valid. */
void net_connections_write(const struct net_connections *connections, struct saved_out *out);
bool net_connections_read(struct net_connections *connections, struct saved_in *in, struct err *err);

#endif
