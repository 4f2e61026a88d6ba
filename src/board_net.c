#include "src/board_net.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

const struct param_def board_net_params[] = {
    {"machine.net", PARAM_STRING, "", "none", 0, 0, false, NULL,
     "network: none; user[,forward=tcp|udp:HOSTADDRESS:HOSTPORT:GUESTPORT]...; hub:ADDRESS"},
    {"net.mac", PARAM_STRING, "", "", 0, 0, false, NULL,
     "hardware address of the network card; empty: 52:54:00:12:34:00 and so on in a hub"},
    {"net.address", PARAM_STRING, "", "", 0, 0, false, NULL,
     "the guest's IPv4 address and prefix length; empty: 10.0.2.15/24 with user, 10.0.0.1/24 and so on in a hub"},
    {"net.gateway", PARAM_STRING, "", "", 0, 0, false, NULL,
     "the guest's IPv4 gateway, or none; empty: 10.0.2.2 with user, none in a hub"},
    {"net.nameserver", PARAM_STRING, "", "", 0, 0, false, NULL,
     "the guest's name server, or none; empty: 10.0.2.3 with user, none in a hub"},
};
const size_t board_net_param_count = sizeof board_net_params / sizeof board_net_params[0];

/* What the guest is told if the parameters leave it open. */
struct defaults {
    const char *mac, *address, *gateway, *nameserver;
};

static const struct defaults user_defaults = {"52:54:00:12:34:00", "10.0.2.15/24", "10.0.2.2", "10.0.2.3"};
static const struct defaults hub_defaults = {"52:54:00:12:34:00", "10.0.0.1/24", "", ""};

/* TEXT if it is KEYWORD, alone or with OPTIONS behind SEPARATOR: what these are, else NULL. */
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
    return err_set(err, "machine.net: \"%.64s\" is none of none, user[,forward=...], hub:ADDRESS", text);
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

/* The value of NAME, or INITIAL if it is empty; nothing if it is "none". */
static const char *chosen(const struct params *params, const char *name, const char *initial)
{
    const char *value = params_string(params, name);
    return *value ? strcmp(value, "none") == 0 ? "" : value : initial;
}

static bool set_address(char place[BOARD_NET_TEXT_SIZE], const struct params *params, const char *name,
                        const char *initial, bool prefix, struct err *err)
{
    const char *value = chosen(params, name, initial);
    bool valid = prefix ? is_address_with_prefix(value) : !*value || is_address(value);
    if (!valid)
        return err_set(err, "%s: \"%.64s\" is no %s", name, value,
                       prefix ? "IPv4 address with a prefix length of 1 to 30, as in 10.0.2.15/24" : "IPv4 address");
    memcpy(place, value, strlen(value) + 1); /* a valid one is short enough */
    return true;
}

bool board_net_describe(struct board_net *net, const struct params *params, struct err *err)
{
    *net = (struct board_net){0};
    if (!parse_kind(net, params_string(params, "machine.net"), err))
        return false;
    if (net->kind == BOARD_NET_NONE)
        return true;
    const struct defaults *defaults = net->kind == BOARD_NET_USER ? &user_defaults : &hub_defaults;
    const char *mac = params_string(params, "net.mac");
    if (!ethernet_parse_address(*mac ? mac : defaults->mac, net->mac))
        return err_set(err, "net.mac: \"%.64s\" is no hardware address of a card, as 52:54:00:12:34:00 is", mac);
    return set_address(net->address, params, "net.address", defaults->address, true, err) &&
           set_address(net->gateway, params, "net.gateway", defaults->gateway, false, err) &&
           set_address(net->nameserver, params, "net.nameserver", defaults->nameserver, false, err);
}

void board_net_create_card(struct board_net *net, const struct machine *machine, struct irq_line irq)
{
    if (net->kind == BOARD_NET_NONE)
        return;
    net->card = virtio_net_create(machine->queue, machine->mem, net->mac, params_u64(machine->params, "net.bandwidth"),
                                  params_u64(machine->params, "net.latency"), irq, machine->log);
    net->link = virtio_net_link(net->card);
}

void board_net_free(struct board_net *net)
{
    virtio_net_free(net->card);
    net->card = NULL;
    net->link = NULL;
}
