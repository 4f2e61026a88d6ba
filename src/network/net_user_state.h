/*
 * Inside the user network: its state, for net_user.c, which runs it, and net_user_saved.c.
 */
#ifndef SIMOS_NET_USER_STATE_H
#define SIMOS_NET_USER_STATE_H

#include "src/network/net_connections.h"
#include "src/network/net_user.h"
#include <slirp/libslirp.h>

enum {
    QUEUE_MAX = 1024, /* frames on the cable to libslirp */
    MILLISECOND = 1000000,
    OPTION_MAX = 64,
    STATE_MAX = 1024, /* bytes of libslirp's state without connections: 4.7 has 131 */
    PROBES = 8        /* a poll */
};

/* A frame of the guest on its way to libslirp. */
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
    Slirp *slirp;                /* NULL in a replay */
    struct frame *first, **last; /* in order of arrival: frames leave the card one after the other */
    struct frame *coming;        /* the first that has not arrived; NULL: all have */
    unsigned coming_count;
    struct event arrival; /* of that one */
    struct timer *timers;
    bool sockets; /* libslirp waits for one at least */

    /* For a machine that is restored. */
    bool guest_known; /* libslirp has heard by ARP where the guest is: */
    uint8_t guest_mac[ETHERNET_ADDRESS_BYTES], guest_address[4];
    struct net_connections connections; /* of the guest, at present */
    struct net_connections lost;        /* of the one that was saved, that it has not been told of yet */
    uint64_t clock_hz;                  /* of the times in the section that is being loaded; else the machine's */
    uint64_t dropped, refused;
};

/* The first frame is of no more use. */
void net_user_drop_first(struct net_user *user);
/* FRAME, allocated, is the last on its way. */
void net_user_append(struct net_user *user, struct frame *frame);

#endif
