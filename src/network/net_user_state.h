/*
 * State of the user-mode network, for net_user.c and net_user_saved.c.
 */
#ifndef SIMOS_NETWORK_NET_USER_STATE_H
#define SIMOS_NETWORK_NET_USER_STATE_H

#include "src/network/net_connections.h"
#include "src/network/net_user.h"
#include <slirp/libslirp.h>

enum {
    QUEUE_MAX = 1024, /* frames in flight to libslirp */
    MILLISECOND = 1000000,
    OPTION_MAX = 64,
    STATE_MAX = 1024, /* bytes of libslirp's state without connections: 131 in version 4.7 */
    PROBES = 8        /* per poll */
};

/* A frame of the guest in flight to libslirp. */
struct frame {
    struct frame *next;
    cycles arrival;
    uint32_t length;
    uint8_t bytes[];
};

struct timer {
    struct timer *next;
    SlirpTimerCb expired;
    void *opaque;
    int64_t when; /* simulated milliseconds; -1: not running */
};

struct net_user {
    struct machine *machine;
    struct event_queue *queue;
    struct ethernet_link *link;
    struct external_source *source;
    Slirp *slirp;                           /* NULL in a replay */
    struct frame *queue_head, **queue_tail; /* in order of arrival, which is the order of transmission */
    struct frame *in_flight;                /* the first frame that has not arrived; NULL: all have */
    unsigned coming_count;
    struct event arrival; /* of the frame `in_flight` */
    struct timer *timers;
    bool sockets; /* libslirp waits for at least one socket */

    /* For a restored machine. */
    bool guest_known; /* the guest's addresses are known from ARP: */
    uint8_t guest_mac[ETHERNET_ADDRESS_BYTES], guest_address[4];
    struct net_connections connections; /* present connections of the guest */
    struct net_connections lost;        /* connections lost by the restore and not yet probed */
    uint64_t clock_hz;                  /* clock of the section being loaded; otherwise of the machine */
    uint64_t dropped, refused;
};

/* Drop the first frame. */
void net_user_drop_first(struct net_user *user);
/* Append FRAME, allocated, to the frames in flight. */
void net_user_append(struct net_user *user, struct frame *frame);

#endif
