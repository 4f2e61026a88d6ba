/*
 * User-mode network (`--net user`): libslirp connects the guest's network card to a small network with a gateway and a
 * name server, which use the host's own connections. It needs neither configuration nor privileges on the host.
 *
 * The guest reaches by TCP and UDP over IPv4 everything that the host reaches, the host's loopback under the gateway's
 * address, and the host's name servers under the name server's address. Host ports can be forwarded to the guest:
 * machine.net = "user,forward=tcp:127.0.0.1:8080:80,forward=udp::5353:53" (protocol, host address, host port, guest
 * port; the default address is 127.0.0.1).
 *
 * libslirp's clock is simulated time. It is called only where the machine takes external input (external.h): at polls,
 * when all CPUs wait, and when a frame of the guest has arrived. What it sends to the guest is external input, recorded
 * and replayed as such; a replay opens no socket.
 *
 * Not modelled: IPv6, ICMP to outside hosts where the host does not permit it to users, incoming connections except
 * forwarded ones.
 */
#ifndef SIMOS_NETWORK_NET_USER_H
#define SIMOS_NETWORK_NET_USER_H

#include "src/machine/board_net.h"
#include "src/base/log.h"
#include "src/base/stats.h"

struct machine;
struct net_user;

/* Create the network described by NET and connect it to NET's link. MACHINE must have its external input and queue.
 * NULL with ERR naming the forwarded port or address that is invalid or in use. Free it before the link and the
 * machine's external input. */
struct net_user *net_user_create(struct machine *machine, const struct board_net *net, struct err *err);
void net_user_free(struct net_user *user);

void net_user_register_stats(const struct net_user *user, struct stats *stats, const char *prefix);

/* Register the saved section NAME: frames of the guest in flight. Connections of libslirp are not saved: a restored
 * machine has a new libslirp, which resets connections that it does not know, and asks the guest's card for its address
 * again. */
void net_user_register_saved(struct net_user *user, struct saved *saved, const char *name);

#endif
