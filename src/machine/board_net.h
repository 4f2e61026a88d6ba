/*
 * The guest's network configuration, from the parameters net.* and machine.net, which is common to all boards; and the
 * virtio card of board simos with its node in the device tree.
 *
 * The other end of the cable is another device, board_network.
 */
#ifndef SIMOS_MACHINE_BOARD_NET_H
#define SIMOS_MACHINE_BOARD_NET_H

#include "devices/device_type.h"
#include "devices/ethernet_link.h"
#include "src/machine/machine.h"
#include <netinet/in.h>

/* Kinds of network of --net. */
enum board_net_kind { BOARD_NET_NONE, BOARD_NET_USER, BOARD_NET_HUB };

enum { BOARD_NET_TEXT_SIZE = 32 };

/* IPv4 addresses are texts, as they are passed to the guest. */
struct pcap;

struct board_net {
    enum board_net_kind kind;
    const char *options; /* in machine.net, behind "user," or "hub:"; "" if there are none */
    uint8_t mac[ETHERNET_ADDRESS_BYTES];
    char address[BOARD_NET_TEXT_SIZE];    /* with the prefix length: "10.0.2.15/24" */
    char gateway[BOARD_NET_TEXT_SIZE];    /* "": none */
    char nameserver[BOARD_NET_TEXT_SIZE]; /* "": none */
    struct ethernet_link *link;           /* the card's cable; NULL: BOARD_NET_NONE */
    struct pcap *pcap;                    /* NULL: frames are not captured */
    nsec pcap_epoch;                      /* real-time clock at power-on, ns since 1970 */
    struct log *log;
};

/* Parameters: machine.net, net.mac, net.address, net.gateway, net.nameserver, net.pcap. */
extern const struct device_type board_net_type;

/* For a board's network card, whose state begins with a struct board_net (struct board, network_card): fill NET, zero
 * so far, and open the capture file (false with ERR naming a parameter or the file); connect it with the card's cable
 * LINK; close the file. */
bool board_net_create(struct board_net *net, const struct device_board *board, struct err *err);
void board_net_attach(struct board_net *net, struct ethernet_link *link);
void board_net_release(struct board_net *net);

/* The network configuration of MACHINE; never NULL. */
struct board_net *board_net_of(const struct machine *machine);

/* The guest's address, and mask and address of its network, in network byte order. */
struct in_addr board_net_guest(const struct board_net *net);
struct in_addr board_net_mask(const struct board_net *net);
struct in_addr board_net_network(const struct board_net *net);

/* Flush the captured frames. False with ERR naming the file if this or an earlier write failed. */
bool board_net_flush(struct board_net *net, struct err *err);

/* Do both values of machine.net select the same kind of network? */
bool board_net_is_same_kind(const char *one, const char *other);

#endif
