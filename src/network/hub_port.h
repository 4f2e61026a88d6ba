/*
 * The port of a hub that a machine's network card is plugged into: any number of machines (nodes) on one segment, each
 * simulated by itself, with results that do not depend on who is simulated when.
 *
 * The hub hands every frame on to all other nodes. Time on the cables is the links' (devices/ethernet_link.h): a frame
 * has arrived when its last bit and net.latency have passed, and two that arrive at once come one after the other: this
 * is a switch that has learned no addresses. Cards take what is for them.
 *
 * Conservative synchronisation (Chandy and Misra 1979, Bryant 1977, with windows): nothing that a node sends arrives
 * within the lookahead, the time of the shortest frame and net.latency. So a node that knows what all others sent up to
 * the time k * lookahead can be simulated up to (k + 1) * lookahead without them. There it stands at a barrier
 * (src/machine/machine.h) until it has the others' windows (src/network/hub_window.h); their frames go to its link in the order in
 * which hub_window_merge() has them.
 *
 * A carrier takes windows from node to node: hub_local.h in one process, hub_peers.h between processes. Both carry the
 * same bytes at the same instants of simulated time, so a run is the same with either. What comes from other processes
 * is external input (src/host/external.h); a replay needs no peers.
 *
 * The hub's time is 0 when all nodes have come. That is the beginning of their own times, unless a machine has run
 * before it is plugged in (it was restored from a checkpoint): its time goes on from where it was.
 *
 * A node leaves when its machine is freed or has ended; the others go on. When one node is left, or when all are asleep
 * for ever and no frame is on its way, there are no more barriers.
 */
#ifndef SIMOS_HUB_PORT_H
#define SIMOS_HUB_PORT_H

#include "devices/ethernet_link.h"
#include "src/network/hub_window.h"
#include "src/machine/machine.h"
#include "src/base/stats.h"

struct hub_port;

/* Both are called with the machine at a barrier, or between its runs. */
struct hub_carrier {
    /* Take a message of NODE to all others: SIZE bytes, valid during the call. */
    void (*post)(void *opaque, unsigned node, const uint8_t *bytes, size_t size);
    /* The machine of PORT has posted its message. Give hub_port_take() those of all other nodes, or end the run: then
     * this is called again first thing in the next one. */
    void (*meet)(void *opaque, struct hub_port *port);
    void *opaque;
};

/* net.node, net.nodes, net.lookahead, net.join_time. */
extern const struct param_def hub_port_params[];
extern const size_t hub_port_param_count;

/* A port for MACHINE at the far end of LINK. Through MACHINE's carrier, or, if it has none, through sockets whose names
 * begin with ADDRESS. NULL with ERR naming the parameter that does not fit. */
struct hub_port *hub_port_create(struct machine *machine, struct ethernet_link *link, const char *address,
                                 struct err *err);
/* Leaves the segment, if that has not been done. Before the link is freed. NULL is allowed. */
void hub_port_free(struct hub_port *port);

/* Between runs: what was sent up to now still goes out, and that this node sends and takes nothing from here on. */
void hub_port_leave(struct hub_port *port);

/* For carriers. The messages of all other nodes that there still are, one behind the other, for the barrier at which
 * the machine stands. BYTES may be anything: false with ERR naming the node. */
bool hub_port_take(struct hub_port *port, const uint8_t *bytes, size_t size, struct err *err);

/* For carriers. The segment has broken down because of REASON: ends the run and all that follow with a line that names
 * the hub. */
void hub_port_fail(struct hub_port *port, const struct err *reason);

struct machine *hub_port_machine(const struct hub_port *port);
unsigned hub_port_node(const struct hub_port *port);
unsigned hub_port_nodes(const struct hub_port *port);
/* Is there a node with this number (other than the port's own) whose messages are still to come? */
bool hub_port_expects(const struct hub_port *port, unsigned node);

/* Register windows, frames and losses as net.hub.*. NULL is allowed. */
void hub_port_register_stats(const struct hub_port *port, struct stats *stats);

/* Add the section "net.hub": frames that the other nodes have not heard of. A restored machine is not in its hub until
 * all nodes are there again, as at power-on; it sends these first. */
void hub_port_register_saved(struct hub_port *port, struct saved *saved);

#endif
