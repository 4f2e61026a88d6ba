/*
 * The board's network card, and what the guest is told about its network: parameters net.* and machine.net, to a card
 * in its virtio slot and properties of its node in the device tree.
 *
 * What is at the other end of the cable is another device, board_network.
 */
#ifndef SIMOS_BOARD_NET_H
#define SIMOS_BOARD_NET_H

#include "devices/device_type.h"
#include "devices/virtio/virtio_net.h"
#include "src/machine/machine.h"
#include <netinet/in.h>

/* What `--net` says. */
enum board_net_kind { BOARD_NET_NONE, BOARD_NET_USER, BOARD_NET_HUB };

enum { BOARD_NET_TEXT_SIZE = 32 };

/* IPv4 addresses are texts: that is how the guest gets them. */
struct pcap;

struct board_net {
    enum board_net_kind kind;
    const char *options; /* of machine.net: what stands behind "user," or "hub:"; "" if nothing does */
    uint8_t mac[ETHERNET_ADDRESS_BYTES];
    char address[BOARD_NET_TEXT_SIZE];    /* with the length of the prefix: "10.0.2.15/24" */
    char gateway[BOARD_NET_TEXT_SIZE];    /* "": none */
    char nameserver[BOARD_NET_TEXT_SIZE]; /* "": none */
    struct virtio_net *card;              /* NULL: BOARD_NET_NONE */
    struct ethernet_link *link;           /* the card's */
    struct pcap *pcap;                    /* NULL: nobody captures its frames */
    nsec pcap_epoch;                      /* what the real-time clock showed at power-on, since 1970 */
    struct log *log;
};

/* Its parameters are machine.net, net.mac, net.address, net.gateway, net.nameserver, net.pcap. */
extern const struct device_type board_net_type;

/* MACHINE's; never NULL. */
struct board_net *board_net_of(const struct machine *machine);

/* The guest's own address, and the mask and address of its network, in network byte order, of what is described. */
struct in_addr board_net_guest(const struct board_net *net);
struct in_addr board_net_mask(const struct board_net *net);
struct in_addr board_net_network(const struct board_net *net);

/* Write out the captured frames. False with ERR naming the file if that fails or has failed before. */
bool board_net_flush(struct board_net *net, struct err *err);

/* Are both values of machine.net of the same kind? */
bool board_net_is_same_kind(const char *one, const char *other);

#endif
