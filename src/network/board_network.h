/*
 * The other end of the network card's cable (src/machine/board_net.h): user-mode network (src/network/net_user.h) or
 * hub (src/network/hub_port.h).
 */
#ifndef SIMOS_NETWORK_BOARD_NETWORK_H
#define SIMOS_NETWORK_BOARD_NETWORK_H

#include "devices/device_type.h"

struct hub_port;

extern const struct device_type board_network_type;

/* The hub port of MACHINE; NULL: it is not in a hub. */
struct hub_port *board_hub_port(const struct machine *machine);

#endif
