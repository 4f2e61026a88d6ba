/*
 * What is at the other end of the network card's cable (src/machine/board_net.h): the user network (src/network/net_user.h) or a hub
 * (src/network/hub_port.h).
 */
#ifndef SIMOS_BOARD_NETWORK_H
#define SIMOS_BOARD_NETWORK_H

#include "devices/device_type.h"

struct hub_port;

extern const struct device_type board_network_type;

/* MACHINE's place in a hub; NULL: it is in none. */
struct hub_port *board_hub_port(const struct machine *machine);

#endif
