/*
 * Carrier of a hub whose nodes are machines of one process: messages are kept in memory, and a machine's run ends at a
 * barrier (MACHINE_STOP_BARRIER) so that the others can run.
 *
 *     local = hub_local_create();
 *     create every machine with hub_local_carrier(local) as its carrier; then, while any machine is left:
 *         run each until it stops: at the barrier, or finally (hub_port_leave())
 *         hub_local_exchange(local)
 */
#ifndef SIMOS_NETWORK_HUB_LOCAL_H
#define SIMOS_NETWORK_HUB_LOCAL_H

#include "src/network/hub_port.h"

struct hub_local;

/* Never NULL. Must outlive the ports. */
struct hub_local *hub_local_create(void);
void hub_local_free(struct hub_local *local);

/* The carrier, for the options of the machines; owned by LOCAL. */
const struct hub_carrier *hub_local_carrier(struct hub_local *local);

/* All nodes have stopped: deliver the posted messages to those at the barrier, which may then continue. False with ERR
 * if the nodes' messages are inconsistent, as in their number of nodes. */
bool hub_local_exchange(struct hub_local *local, struct err *err);

#endif
