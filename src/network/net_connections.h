/*
 * Which TCP connections a guest has through a user network, as the segments tell that go by; and the segment that makes
 * a restored guest find out that one of them is gone.
 *
 * The network's end of a connection is a socket of the host and in no checkpoint. A guest that sends on such a
 * connection gets a reset from the new network, which does not know it. One that only listens would wait for ever: so
 * it is sent a SYN. Whatever state its connection is in, it answers that with an acknowledgement (RFC 5961
 * section 4.2), and that with a reset. A SYN for a connection that is over already leads to nothing worse than a reset
 * either.
 */
#ifndef SIMOS_NET_CONNECTIONS_H
#define SIMOS_NET_CONNECTIONS_H

#include "devices/ethernet.h"
#include "src/base/saved.h"

enum { NET_CONNECTIONS_MAX = 128, NET_CONNECTION_FRAME = 60 };

/* In network byte order. */
struct net_connection {
    uint8_t guest[4], peer[4];
    uint8_t guest_port[2], peer_port[2];
    uint8_t ended; /* bits: the guest has sent its FIN, its peer has */
};

/* The latest ones, the one in which something happened last behind the others. */
struct net_connections {
    uint32_t count;
    struct net_connection list[NET_CONNECTIONS_MAX];
};

/* A frame that may pass (net_filter_passes()) of LENGTH bytes goes by, from the guest or to it. */
void net_connections_note(struct net_connections *connections, const uint8_t *frame, uint32_t length, bool from_guest);

/* The segment, from the network to the guest's card with address MAC, into FRAME. */
void net_connection_probe(const struct net_connection *connection, const uint8_t mac[ETHERNET_ADDRESS_BYTES],
                          uint8_t frame[NET_CONNECTION_FRAME]);

/* As content of a section. Any content makes a list. */
void net_connections_write(const struct net_connections *connections, struct saved_out *out);
bool net_connections_read(struct net_connections *connections, struct saved_in *in, struct err *err);

#endif
