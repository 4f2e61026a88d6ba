/*
 * Carrier of a hub whose nodes are processes of this host: one stream socket between every two nodes, no server.
 *
 * Node N listens at ADDRESS.N until all nodes have joined. It connects to the nodes with lower numbers and accepts
 * connections of those with higher numbers; each node identifies itself by its HELLO message. No node waits for ever: a
 * node that has not greeted within net.join_time ends the run, as does one that does not send its whole message, or
 * does not read, for net.peer_time, closes its socket without leaving the hub, or sends invalid data. Signals end a
 * wait.
 */
#ifndef SIMOS_NETWORK_HUB_PEERS_H
#define SIMOS_NETWORK_HUB_PEERS_H

#include "src/host/external.h"
#include "src/base/log.h"

struct hub_peers;
struct hub_port;

/* How long to wait for the other processes, in seconds of host time. */
struct hub_timeouts {
    uint64_t join_time; /* until all have greeted */
    uint64_t peer_time; /* in each later exchange, and at most for sending when this node leaves */
};

/* Listen at ADDRESS.N for PORT, node N, without waiting. Received messages are delivered from SOURCE. NULL with ERR
 * naming the address and the reason. A replay opens no socket. */
struct hub_peers *hub_peers_create(struct hub_port *port, struct external_source *source, const char *address,
                                   struct hub_timeouts timeouts, struct err *err);
/* Send posted messages, for a few seconds at most, and free. NULL is allowed. */
void hub_peers_free(struct hub_peers *peers);

/* The functions of struct hub_carrier. */
void hub_peers_post(void *opaque, unsigned node, const uint8_t *bytes, size_t size);
void hub_peers_synchronise(void *opaque, struct hub_port *port);

#endif
