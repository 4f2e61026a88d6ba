/*
 * Carrier of a hub whose nodes are processes of this host: one stream socket between every two nodes, no server.
 *
 * Node N listens at ADDRESS.N until all nodes have joined. It connects to the nodes with lower numbers and accepts
 * connections of those with higher numbers; each node identifies itself by its HELLO message. No node blocks forever: a
 * node that does not join within net.join_time ends the run, as does one that closes its socket without leaving the
 * hub, or sends invalid data. A slow node (in a debugger, say) is waited for; signals end the run meanwhile.
 */
#ifndef SIMOS_HUB_PEERS_H
#define SIMOS_HUB_PEERS_H

#include "src/host/external.h"
#include "src/base/log.h"

struct hub_peers;
struct hub_port;

/* Listen at ADDRESS.N for PORT, node N, without waiting. Received messages are delivered from SOURCE. JOIN_TIME:
 * seconds of host time. NULL with ERR naming the address and the reason. A replay opens no socket. */
struct hub_peers *hub_peers_create(struct hub_port *port, struct external_source *source, const char *address,
                                   uint64_t join_time, struct err *err);
/* Send posted messages, for a few seconds at most, and free. NULL is allowed. */
void hub_peers_free(struct hub_peers *peers);

/* The functions of struct hub_carrier. */
void hub_peers_post(void *opaque, unsigned node, const uint8_t *bytes, size_t size);
void hub_peers_synchronise(void *opaque, struct hub_port *port);

#endif
