#include "src/machine/board_net.h"

#include "devices/virtio/virtio_mmio.h"
#include "devices/virtio/virtio_net.h"
#include "src/machine/board_devices.h"
#include "src/machine/boards.h"
#include "src/host/pcap.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Default values of the guest's network configuration. */
struct defaults {
    const char *mac, *address;
    unsigned gateway, nameserver; /* host numbers within the network; 0: none */
};

static const struct defaults user_defaults = {"52:54:00:12:34:00", "10.0.2.15/24", 2, 3};

/* If TEXT is KEYWORD, alone or followed by SEPARATOR and options, return the options ("" if none), else NULL. */
static const char *options_of(const char *text, const char *keyword, char separator)
{
    size_t length = strlen(keyword);
    if (strncmp(text, keyword, length) != 0 || (text[length] && text[length] != separator))
        return NULL;
    return text[length] ? text + length + 1 : text + length;
}

static bool parse_kind(struct board_net *net, const char *text, struct err *err)
{
    static const struct {
        const char *keyword;
        char separator;
        enum board_net_kind kind;
    } kinds[] = {{"none", 0, BOARD_NET_NONE}, {"user", ',', BOARD_NET_USER}, {"hub", ':', BOARD_NET_HUB}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        net->options = options_of(text, kinds[i].keyword, kinds[i].separator);
        net->kind = kinds[i].kind;
        if (net->options)
            return true;
    }
    return err_set(err, "machine.net: \"%.64s\" is not one of none, user[,forward=...], hub:ADDRESS", text);
}

bool board_net_is_same_kind(const char *one, const char *other)
{
    struct board_net a = {0}, b = {0};
    return parse_kind(&a, one, NULL) && parse_kind(&b, other, NULL) && a.kind == b.kind;
}

static bool is_address(const char *text)
{
    struct in_addr address;
    return inet_pton(AF_INET, text, &address) == 1;
}

static bool is_address_with_prefix(const char *text)
{
    char address[BOARD_NET_TEXT_SIZE], *end;
    const char *slash = strchr(text, '/');
    if (!slash || (size_t)(slash - text) >= sizeof address || slash[1] < '0' || slash[1] > '9')
        return false;
    memcpy(address, text, (size_t)(slash - text));
    address[slash - text] = 0;
    unsigned long prefix = strtoul(slash + 1, &end, 10);
    return !*end && strlen(slash) <= 3 && prefix >= 1 && prefix <= 30 && is_address(address);
}

static bool set_own_address(struct board_net *net, const struct params *params, const char *initial, struct err *err)
{
    const char *value = params_string(params, "net.address");
    if (!*value)
        value = initial;
    if (!is_address_with_prefix(value))
        return err_set(err,
                       "net.address: \"%.64s\" is no IPv4 address with a prefix length of 1 to 30, as in 10.0.2.15/24",
                       value);
    memcpy(net->address, value, strlen(value) + 1); /* a valid address fits */
    return true;
}

/* Set ADDRESS_TEXT from parameter NAME: an address or "none". If the parameter is empty, the default is host NUMBER in
 * NET's network (0: none). */
static bool set_other_address(char address_text[BOARD_NET_TEXT_SIZE], const struct board_net *net,
                              const struct params *params, const char *name, unsigned number, struct err *err)
{
    const char *value = params_string(params, name);
    struct in_addr address;
    if (!*value && number) {
        address.s_addr = htonl(ntohl(board_net_network(net).s_addr) + number);
        inet_ntop(AF_INET, &address, address_text, BOARD_NET_TEXT_SIZE);
    } else if (*value && strcmp(value, "none") != 0) {
        if (!is_address(value))
            return err_set(err, "%s: \"%.64s\" is no IPv4 address", name, value);
        memcpy(address_text, value, strlen(value) + 1);
    }
    return true;
}

/* Parse the parameters without creating a card. False with ERR naming the parameter and its valid values. NET->options
 * points into PARAMS. */
static bool describe(struct board_net *net, const struct params *params, struct err *err)
{
    if (!parse_kind(net, params_string(params, "machine.net"), err))
        return false;
    const char *pcap = params_string(params, "net.pcap");
    if (net->kind == BOARD_NET_NONE)
        return !*pcap || err_set(err, "net.pcap: no network to capture for %.256s: machine.net (--net) is none", pcap);
    char hub_mac[] = "52:54:00:12:34:00", hub_address[] = "10.0.0.000/24";
    const struct defaults hub_defaults = {hub_mac, hub_address, 0, 0};
    const struct defaults *defaults = net->kind == BOARD_NET_USER ? &user_defaults : &hub_defaults;
    const unsigned node = (unsigned)params_u64(params, "net.node"); /* 0 to 63 */
    snprintf(strrchr(hub_mac, ':') + 1, 3, "%02x", node & 0xff);
    snprintf(hub_address, sizeof hub_address, "10.0.0.%u/24", node % 254 + 1);
    const char *mac = params_string(params, "net.mac");
    if (!ethernet_parse_address(*mac ? mac : defaults->mac, net->mac))
        return err_set(err, "net.mac: \"%.64s\" is not the MAC address of a card, such as 52:54:00:12:34:00", mac);
    return set_own_address(net, params, defaults->address, err) &&
           set_other_address(net->gateway, net, params, "net.gateway", defaults->gateway, err) &&
           set_other_address(net->nameserver, net, params, "net.nameserver", defaults->nameserver, err);
}

/* Addresses as numbers */

struct in_addr board_net_mask(const struct board_net *net)
{
    return (struct in_addr){htonl(UINT32_MAX << (32 - strtoul(strchr(net->address, '/') + 1, NULL, 10)))};
}

struct in_addr board_net_guest(const struct board_net *net)
{
    char text[BOARD_NET_TEXT_SIZE];
    struct in_addr address = {0};
    snprintf(text, sizeof text, "%.*s", (int)strcspn(net->address, "/"), net->address);
    inet_pton(AF_INET, text, &address);
    return address;
}

struct in_addr board_net_network(const struct board_net *net)
{
    return (struct in_addr){board_net_guest(net).s_addr & board_net_mask(net).s_addr};
}

/* Capture a frame with the time of the guest's clock, assuming that the guest has not set it. */
static void capture(void *opaque, nsec time, const uint8_t *frame, uint32_t length)
{
    const struct board_net *net = opaque;
    pcap_add_frame(net->pcap, net->pcap_epoch + time, frame, length);
}

bool board_net_flush(struct board_net *net, struct err *err)
{
    if (!net->pcap || pcap_flush(net->pcap, err))
        return true;
    pcap_free(net->pcap); /* report the failure only once */
    net->pcap = NULL;
    ethernet_link_set_tap(net->link, (struct ethernet_tap){0});
    return false;
}

/* Network and capture */

bool board_net_create(struct board_net *net, const struct device_board *board, struct err *err)
{
    const char *path = params_string(board->params, "net.pcap");
    if (!describe(net, board->params, err))
        return false;
    net->log = board->log;
    net->pcap_epoch = params_u64(board->params, "rtc.start") * 1000000000u;
    return net->kind == BOARD_NET_NONE || !*path || (net->pcap = pcap_create(path, err));
}

void board_net_attach(struct board_net *net, struct ethernet_link *link)
{
    net->link = link;
    if (net->pcap)
        ethernet_link_set_tap(link, (struct ethernet_tap){capture, net});
}

/* A failure not yet reported by board_net_flush() is printed on stderr. */
void board_net_release(struct board_net *net)
{
    struct err err = {""};
    if (!board_net_flush(net, &err))
        log_info(net->log, "%s", err.text);
    pcap_free(net->pcap);
}

struct board_net *board_net_of(const struct machine *machine)
{
    return board_device(machine, machine->board->network_card);
}

/* Board device */

/* A virtio card. */
struct virtio_card {
    struct board_net net;    /* first: board_net_of() */
    struct virtio_net *card; /* NULL: BOARD_NET_NONE */
};

static bool create(const struct device_board *board, void **device, struct err *err)
{
    struct virtio_card *virtio = *device = checked_memory(calloc(1, sizeof *virtio));
    if (!board_net_create(&virtio->net, board, err))
        return false;
    if (virtio->net.kind == BOARD_NET_NONE)
        return true;
    virtio->card =
        virtio_net_create(board->queue, board->mem, virtio->net.mac, params_u64(board->params, "net.bandwidth"),
                          params_u64(board->params, "net.latency"), device_irq(board, 0), board->log);
    board_net_attach(&virtio->net, virtio_net_link(virtio->card));
    physmem_add_device(board->mem, board->base, VIRTIO_MMIO_SIZE, &virtio_net_device_ops, virtio->card);
    return true;
}

static void free_net(void *device)
{
    struct virtio_card *virtio = device;
    board_net_release(&virtio->net);
    virtio_net_free(virtio->card);
    free(virtio);
}

static void register_stats(void *device, struct stats *stats)
{
    const struct virtio_card *virtio = device;
    if (virtio->card)
        virtio_net_register_stats(virtio->card, stats, "net");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct virtio_card *virtio = device;
    (void)err;
    if (virtio->card)
        virtio_net_register_saved(virtio->card, saved, "net");
    return true;
}

/* The node includes the network configuration for the guest's /init; addresses are texts, and properties without a
 * value are omitted. */
static void write_node(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    const struct board_net *net = device;
    if (!net->link)
        return;
    virtio_mmio_begin_node(tree, "ethernet", board->base, board->irq);
    tree_bytes(tree, "local-mac-address", net->mac, sizeof net->mac);
    tree_text(tree, "simos,ip-address", net->address);
    if (*net->gateway)
        tree_text(tree, "simos,gateway", net->gateway);
    if (*net->nameserver)
        tree_text(tree, "simos,nameserver", net->nameserver);
    tree_end(tree);
}

static const struct param_def params[] = {
    {"machine.net", PARAM_NETWORK, TRAIT_FIXED, "", "none", 0, 0, false, NULL,
     "network: none; user[,restrict][,host=off][,forward=tcp|udp:HOSTADDRESS:HOSTPORT:GUESTPORT]...; hub:ADDRESS"},
    {"net.mac", PARAM_STRING, TRAIT_FIXED, "", "", 0, 0, false, NULL,
     "hardware address of the network card; empty: 52:54:00:12:34:00 and so on in a hub"},
    {"net.address", PARAM_STRING, TRAIT_FIXED, "", "", 0, 0, false, NULL,
     "the guest's IPv4 address and prefix length; empty: 10.0.2.15/24 with user, 10.0.0.1/24 and so on in a hub"},
    {"net.gateway", PARAM_STRING, TRAIT_FIXED, "", "", 0, 0, false, NULL,
     "the guest's IPv4 gateway, or none; empty: the network's address 2 (10.0.2.2) with user, none in a hub"},
    {"net.nameserver", PARAM_STRING, TRAIT_FIXED, "", "", 0, 0, false, NULL,
     "the guest's name server, or none; empty: the network's address 3 (10.0.2.3) with user, none in a hub"},
    {"net.pcap", PARAM_OUTPUT, TRAIT_UNTIMED | TRAIT_LOCATION, "", "", 0, 0, false, NULL,
     "file that all frames of the network card are written to, as tcpdump reads it; empty: none"},
};
static const size_t param_count = sizeof params / sizeof params[0];

const struct device_type board_net_type = {
    .name = "net",
    .summary = "network card (virtio), of machine.net",
    .size = VIRTIO_MMIO_SIZE,
    .interrupts = 1,
    .params = {{params, &param_count}},
    .create = create,
    .free = free_net,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_node,
};
