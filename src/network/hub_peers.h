/*
 * The carrier of a hub whose nodes are processes of this host: one stream socket between every two of them, no server.
 *
 * Node N listens at ADDRESS.N until all have come, connects to the nodes below it and is connected to by those above;
 * each says which it is with its greeting. Nobody can hang for ever: a node that does not come is given up after
 * net.join_time, one that closes its socket without having left the hub, or sends nonsense, ends the run. One that is
 * slow (in a debugger, say) is waited for; signals end the run meanwhile.
 */
#ifndef SIMOS_HUB_PEERS_H
#define SIMOS_HUB_PEERS_H

#include "src/host/external.h"
#include "src/base/log.h"

struct hub_peers;
struct hub_port;

/* Listen at ADDRESS.N for PORT, node N; nothing is waited for yet. What comes is delivered from SOURCE. JOIN_TIME:
 * seconds of the host. NULL with ERR naming the address and the reason. A replay opens nothing. */
struct hub_peers *hub_peers_create(struct hub_port *port, struct external_source *source, const char *address,
                                   uint64_t join_time, struct err *err);
/* Sends what has been posted, for a few seconds at most. NULL is allowed. */
void hub_peers_free(struct hub_peers *peers);

/* As struct hub_carrier wants them. */
void hub_peers_post(void *opaque, unsigned node, const uint8_t *bytes, size_t size);
void hub_peers_meet(void *opaque, struct hub_port *port);

#endif
