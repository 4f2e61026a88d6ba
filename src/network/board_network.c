/* The other end of the network card's cable: user-mode network or hub. */
#include "src/network/board_network.h"

#include "src/machine/board_devices.h"
#include "src/machine/board_net.h"
#include "src/network/hub_port.h"
#include "src/network/net_user.h"
#include <stdlib.h>

/* At most one member is not NULL. */
struct network {
    struct net_user *user;
    struct hub_port *hub;
};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    const struct board_net *net = board_net_of(board->machine);
    if (net->kind == BOARD_NET_NONE)
        return true;
    struct network *network = *device = checked_memory(calloc(1, sizeof *network));
    if (net->kind == BOARD_NET_HUB)
        network->hub = hub_port_create(board->machine, net->link, net->options, err);
    else
        network->user = net_user_create(board->machine, net, err);
    return network->hub || network->user;
}

static void free_network(void *device)
{
    const struct network *network = device;
    net_user_free(network->user);
    hub_port_free(network->hub);
    free(device);
}

struct hub_port *board_hub_port(const struct machine *machine)
{
    const struct network *network = board_device(machine, &board_network_type);
    return network ? network->hub : NULL;
}

static void register_stats(void *device, struct stats *stats)
{
    const struct network *network = device;
    if (network->user)
        net_user_register_stats(network->user, stats, "net");
    hub_port_register_stats(network->hub, stats);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct network *network = device;
    (void)err;
    if (network->user)
        net_user_register_saved(network->user, saved, "net.user");
    if (network->hub)
        hub_port_register_saved(network->hub, saved);
    return true;
}

const struct device_type board_network_type = {
    .name = "network",
    .summary = "the other end of the network card's cable: user network or hub",
    .params = {{ethernet_link_params, &ethernet_link_param_count}, {hub_port_params, &hub_port_param_count}},
    .create = create,
    .free = free_network,
    .register_stats = register_stats,
    .register_saved = register_saved,
};
