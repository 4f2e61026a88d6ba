/*
 * The carrier of a hub whose nodes are machines of one process: messages lie in memory, and a machine's run ends at a
 * barrier (MACHINE_STOP_BARRIER) so that the others can run.
 *
 *     local = hub_local_create();
 *     every machine is made with hub_local_carrier(local) as its carrier; then, as long as any is left:
 *         run each until it stops: at the barrier, or for good (hub_port_leave())
 *         hub_local_exchange(local)
 */
#ifndef SIMOS_HUB_LOCAL_H
#define SIMOS_HUB_LOCAL_H

#include "src/network/hub_port.h"

struct hub_local;

/* Never NULL. Outlives the ports. */
struct hub_local *hub_local_create(void);
void hub_local_free(struct hub_local *local);

/* For the options of the machines; owned by LOCAL. */
const struct hub_carrier *hub_local_carrier(struct hub_local *local);

/* Every node has stopped: those at the barrier get what was posted, and may go on. False with ERR if they do not agree,
 * as on how many there are. */
bool hub_local_exchange(struct hub_local *local, struct err *err);

#endif
