/*
 * The board's network card, and what the guest is told about its network: parameters net.* and machine.net, to a card
 * in its virtio slot and properties of its node in the device tree.
 *
 * What is at the other end of the cable is connected by others: net_user, hub_port.
 */
#ifndef SIMOS_BOARD_NET_H
#define SIMOS_BOARD_NET_H

#include "devices/irq.h"
#include "devices/virtio_net.h"
#include "src/machine.h"
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

/* machine.net, net.mac, net.address, net.gateway, net.nameserver, net.pcap. */
extern const struct param_def board_net_params[];
extern const size_t board_net_param_count;

/* What the parameters say, no card yet. False with ERR naming the parameter and what it may be. NET->options lies in
 * PARAMS. */
bool board_net_describe(struct board_net *net, const struct params *params, struct err *err);

/* The guest's own address, and the mask and address of its network, in network byte order, of what is described. */
struct in_addr board_net_guest(const struct board_net *net);
struct in_addr board_net_mask(const struct board_net *net);
struct in_addr board_net_network(const struct board_net *net);

/* The card that is described, which is not BOARD_NET_NONE, and the file that its frames go to. NET stays where it is.
 * False with ERR naming that file if it cannot be written. */
bool board_net_create_card(struct board_net *net, const struct machine *machine, struct irq_line irq, struct err *err);
/* Write out the captured frames. False with ERR naming the file if that fails or has failed before. */
bool board_net_flush(struct board_net *net, struct err *err);
/* A failure that board_net_flush() has not told is a line on stderr. */
void board_net_free(struct board_net *net);

/* Are both values of machine.net of the same kind? */
bool board_net_is_same_kind(const char *one, const char *other);

#endif
