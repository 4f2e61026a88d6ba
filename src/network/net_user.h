/*
 * `--net user`: behind the guest's network card is a small network made by libslirp, with a gateway and a name server
 * that lead to the host's own connections. Nothing is to be configured on the host, and no privilege is needed.
 *
 * The guest reaches what the host reaches by TCP and UDP over IPv4, the host's own loopback under the gateway's
 * address, and the host's name servers under the name server's. Ports of the host can be led to the guest: machine.net
 * = "user,forward=tcp:127.0.0.1:8080:80,forward=udp::5353:53" (protocol, address and port of the host, port of the
 * guest; no address is 127.0.0.1).
 *
 * libslirp's clock is simulated time. It is asked where the machine takes external input (external.h) and nowhere else:
 * when the machine polls, when all CPUs wait, and as soon as a frame of the guest has arrived. What it sends to the
 * guest is external input, recorded and replayed as such; a replay opens no socket.
 *
 * Not modelled: IPv6, ICMP to the outside where the host does not let users have it, incoming connections other than
 * forwarded ones.
 */
#ifndef SIMOS_NET_USER_H
#define SIMOS_NET_USER_H

#include "src/machine/board_net.h"
#include "src/base/log.h"
#include "src/base/stats.h"

struct machine;
struct net_user;

/* Connect what NET describes to its link. MACHINE has its external input and queue already. NULL with ERR naming the
 * forwarded port or address that is wrong or taken. Free it before the link and the machine's external input. */
struct net_user *net_user_create(struct machine *machine, const struct board_net *net, struct err *err);
void net_user_free(struct net_user *user);

void net_user_register_stats(const struct net_user *user, struct stats *stats, const char *prefix);

/* Add the section NAME: frames of the guest on their way. What libslirp knows is not in it: a restored machine begins
 * with a new one, which resets connections that it does not know, and asks the guest's card anew who it is. */
void net_user_register_saved(struct net_user *user, struct saved *saved, const char *name);

#endif
