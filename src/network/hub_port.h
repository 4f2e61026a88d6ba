/*
 * The hub port of a machine's network card: any number of machines (nodes) on one Ethernet segment, each simulated
 * separately, with results that do not depend on the order in which they are simulated.
 *
 * The hub forwards every frame to all other nodes. The links model the time on the cables (devices/ethernet_link.h): a
 * frame arrives net.latency after its last bit, and frames that arrive at the same time are received one after the
 * other: the hub behaves as a switch that has not learned addresses. Cards accept frames for their own address.
 *
 * Conservative synchronisation (Chandy and Misra 1979, Bryant 1977, with time windows): a frame arrives not earlier
 * than one lookahead after it is sent: the time of the shortest frame plus net.latency. A node that has all frames sent
 * up to time k * lookahead can therefore be simulated up to (k + 1) * lookahead independently. There it waits at a
 * barrier (src/machine/machine.h) for the other nodes' windows (src/network/hub_window.h); their frames go to its link
 * in the order of hub_window_merge().
 *
 * A carrier transports windows between nodes: hub_local.h within one process, hub_peers.h between processes. Both carry
 * the same bytes at the same instants of simulated time, so the results are the same. Messages from other processes are
 * external input (src/host/external.h); a replay needs no peers.
 *
 * Hub time 0 is when all nodes have joined. That is time 0 of each machine, unless it was restored from a checkpoint:
 * then its own time continues.
 *
 * A node leaves when its machine is freed or has ended; the others continue. When only one node is left, or when all
 * are idle forever and no frame is in flight, there are no more barriers.
 */
#ifndef SIMOS_NETWORK_HUB_PORT_H
#define SIMOS_NETWORK_HUB_PORT_H

#include "devices/ethernet_link.h"
#include "src/network/hub_window.h"
#include "src/machine/machine.h"
#include "src/base/stats.h"

struct hub_port;

/* Both functions are called with the machine at a barrier, or between its runs. */
struct hub_carrier {
    /* Send a message of NODE to all other nodes: SIZE bytes, valid during the call. */
    void (*post)(void *opaque, unsigned node, const uint8_t *bytes, size_t size);
    /* PORT's machine has posted its message. Call hub_port_receive() with the messages of all other nodes, or end the
     * run: then this is called again at the start of the next run. */
    void (*synchronise)(void *opaque, struct hub_port *port);
    void *opaque;
};

/* net.node, net.nodes, net.lookahead, net.join_time. */
extern const struct param_def hub_port_params[];
extern const size_t hub_port_param_count;

/* Create a port for MACHINE at the far end of LINK, with MACHINE's carrier or, if it has none, with sockets named
 * ADDRESS.N. NULL with ERR naming the invalid parameter. */
struct hub_port *hub_port_create(struct machine *machine, struct ethernet_link *link, const char *address,
                                 struct err *err);
/* Leave the segment, if not yet done, and free the port, before the link is freed. NULL is allowed. */
void hub_port_free(struct hub_port *port);

/* Leave the segment, between runs: send the frames of the present window; afterwards the node neither sends nor
 * receives. */
void hub_port_leave(struct hub_port *port);

/* For carriers: the concatenated messages of all other present nodes, for the barrier at which the machine waits. BYTES
 * are untrusted: false with ERR naming the node. */
bool hub_port_receive(struct hub_port *port, const uint8_t *bytes, size_t size, struct err *err);

/* For carriers: the segment has failed because of REASON. Ends this and all later runs with a message naming the
 * hub. */
void hub_port_fail(struct hub_port *port, const struct err *reason);

struct machine *hub_port_machine(const struct hub_port *port);
unsigned hub_port_node(const struct hub_port *port);
unsigned hub_port_nodes(const struct hub_port *port);
/* Has the message of the present barrier been posted, and those of the other nodes not been received? */
bool hub_port_waits(const struct hub_port *port);
/* Is NODE (other than the port's own) a present node whose messages are expected? */
bool hub_port_expects(const struct hub_port *port, unsigned node);

/* Register the counters of windows and of sent, received and lost frames as net.hub.*. NULL is allowed. */
void hub_port_register_stats(const struct hub_port *port, struct stats *stats);

/* Register the saved section "net.hub": frames not yet exchanged with the other nodes. A restored machine rejoins its
 * hub when all nodes are present, as at power-on; it sends these frames first. */
void hub_port_register_saved(struct hub_port *port, struct saved *saved);

#endif
