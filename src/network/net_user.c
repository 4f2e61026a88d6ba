#include "src/network/net_user_state.h"

#include "devices/device_stats.h"
#include "src/host/external.h"
#include "src/machine/machine.h"
#include "src/network/net_filter.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Frames from the guest */

/* Note a frame to or from libslirp: its TCP connection, and the guest's addresses from ARP. */
static void note_frame(struct net_user *user, const uint8_t *frame, uint32_t length, bool from_guest)
{
    enum { TYPE = 12, ARP = ETHERNET_HEADER_BYTES, SENDER = ARP + 8, ARP_END = ARP + 28 };
    net_connections_note(&user->connections, frame, length, from_guest);
    if (!from_guest || frame[TYPE] != 8 || frame[TYPE + 1] != 6 || length < ARP_END)
        return;
    memcpy(user->guest_mac, frame + SENDER, sizeof user->guest_mac);
    memcpy(user->guest_address, frame + SENDER + sizeof user->guest_mac, sizeof user->guest_address);
    user->guest_known = true;
}

void net_user_drop_first(struct net_user *user)
{
    struct frame *frame = user->queue_head;
    user->queue_head = frame->next;
    if (!user->queue_head)
        user->queue_tail = &user->queue_head;
    free(frame);
}

void net_user_append(struct net_user *user, struct frame *frame)
{
    *user->queue_tail = frame;
    user->queue_tail = &frame->next;
}

static void send_to_outside(void *opaque, const uint8_t *bytes, uint32_t length, cycles arrival)
{
    struct net_user *user = opaque;
    bool passes = net_filter_passes(bytes, length);
    if (!passes || user->coming_count == QUEUE_MAX) {
        user->refused += !passes;
        user->dropped += passes;
        return;
    }
    struct frame *frame = checked_memory(malloc(sizeof *frame + length));
    *frame = (struct frame){.arrival = arrival, .length = length};
    memcpy(frame->bytes, bytes, length);
    net_user_append(user, frame);
    user->coming_count++;
    if (!user->in_flight) {
        user->in_flight = frame;
        event_schedule(user->queue, &user->arrival, arrival);
    }
}

static void frame_arrives(void *opaque)
{
    struct net_user *user = opaque;
    user->in_flight = user->in_flight->next;
    user->coming_count--;
    if (user->in_flight)
        event_schedule(user->queue, &user->arrival, user->in_flight->arrival);
    /* in a replay its effects are in the record */
    for (; external_replaying(user->machine->external) && user->queue_head != user->in_flight;
         net_user_drop_first(user))
        note_frame(user, user->queue_head->bytes, user->queue_head->length, true);
    external_poll_soon(user->machine->external);
}

/* libslirp callbacks */

static ssize_t send_to_guest(const void *bytes, size_t length, void *opaque)
{
    struct net_user *user = opaque;
    if (length >= ETHERNET_HEADER_BYTES && length <= ETHERNET_MAX_BYTES)
        note_frame(user, bytes, (uint32_t)length, false);
    external_deliver(user->source, bytes, length);
    return (ssize_t)length;
}

static void guest_error(const char *message, void *opaque)
{
    const struct net_user *user = opaque;
    log_guest(user->machine->log, "net_user", "network: %s", message);
}

static int64_t clock_nsec(void *opaque)
{
    const struct net_user *user = opaque;
    return (int64_t)time_nsec(user->queue, user->queue->now);
}

static void *timer_new(SlirpTimerCb expired, void *timer_opaque, void *opaque)
{
    struct net_user *user = opaque;
    struct timer *timer = checked_memory(calloc(1, sizeof *timer));
    *timer = (struct timer){.next = user->timers, .expired = expired, .opaque = timer_opaque, .when = -1};
    user->timers = timer;
    return timer;
}

static void timer_free(void *pointer, void *opaque)
{
    struct net_user *user = opaque;
    struct timer **pointer_to = &user->timers;
    while (*pointer_to && *pointer_to != pointer)
        pointer_to = &(*pointer_to)->next;
    if (*pointer_to) {
        *pointer_to = (*pointer_to)->next;
        free(pointer);
    }
}

static void timer_mod(void *pointer, int64_t when, void *opaque)
{
    (void)opaque;
    ((struct timer *)pointer)->when = when;
}

static void run_timers(struct net_user *user)
{
    int64_t now = clock_nsec(user) / MILLISECOND;
    for (struct timer *timer = user->timers, *next; timer; timer = next) {
        next = timer->next;
        if (timer->when < 0 || timer->when > now)
            continue;
        timer->when = -1;
        timer->expired(timer->opaque);
    }
}

/* Nothing to do: the descriptors are collected again for each poll, and libslirp is called when the guest's
 * acknowledgement arrives. */
static void descriptor_changes(int fd, void *opaque)
{
    (void)fd, (void)opaque;
}

static void notify(void *opaque)
{
    (void)opaque;
}

static const SlirpCb callbacks = {
    .send_packet = send_to_guest,
    .guest_error = guest_error,
    .clock_get_ns = clock_nsec,
    .timer_new = timer_new,
    .timer_free = timer_free,
    .timer_mod = timer_mod,
    .register_poll_fd = descriptor_changes,
    .unregister_poll_fd = descriptor_changes,
    .notify = notify,
};

/* External input */

static const struct {
    int slirp;
    short poll;
} events[] = {{SLIRP_POLL_IN, POLLIN},
              {SLIRP_POLL_OUT, POLLOUT},
              {SLIRP_POLL_PRI, POLLPRI},
              {SLIRP_POLL_ERR, POLLERR},
              {SLIRP_POLL_HUP, POLLHUP}};
enum { EVENTS = sizeof events / sizeof events[0] };

struct preparation {
    struct net_user *user;
    struct external_waits *waits;
};

static int add_poll(int fd, int wanted, void *opaque)
{
    struct preparation *preparation = opaque;
    short mask = 0;
    for (size_t i = 0; i < EVENTS; i++)
        if (wanted & events[i].slirp)
            mask |= events[i].poll;
    preparation->user->sockets = true;
    return (int)external_wait_for(preparation->waits, fd, mask);
}

static void prepare(void *opaque, struct external_waits *waits)
{
    struct net_user *user = opaque;
    struct preparation preparation = {.user = user, .waits = waits};
    uint32_t timeout = UINT32_MAX; /* timers run in simulated time and are checked at the next poll */
    user->sockets = false;
    slirp_pollfds_fill(user->slirp, &timeout, add_poll, &preparation);
    if (user->sockets)
        external_expect_input(waits);
    if (user->lost.count)
        external_set_timeout(waits, 0);
}

/* Send probes for some of the connections lost by the restore. */
static void probe_lost(struct net_user *user)
{
    for (unsigned i = 0; i < PROBES && user->lost.count; i++) {
        uint8_t frame[NET_CONNECTION_FRAME];
        net_connection_probe(&user->lost.list[--user->lost.count], user->guest_mac, frame);
        external_deliver(user->source, frame, sizeof frame);
    }
}

static int poll_result(int number, void *opaque)
{
    short revents = number < 0 ? 0 : external_revents(opaque, (size_t)number);
    int result = 0;
    for (size_t i = 0; i < EVENTS; i++)
        if (revents & events[i].poll)
            result |= events[i].slirp;
    return result;
}

static void take(void *opaque, const struct external_waits *waits)
{
    struct net_user *user = opaque;
    slirp_pollfds_poll(user->slirp, 0, poll_result, (void *)(uintptr_t)waits);
    for (; user->queue_head != user->in_flight; net_user_drop_first(user)) {
        note_frame(user, user->queue_head->bytes, user->queue_head->length, true);
        slirp_input(user->slirp, user->queue_head->bytes, (int)user->queue_head->length);
    }
    probe_lost(user);
    run_timers(user);
}

/* Records are untrusted: the link rejects invalid lengths. */
static void deliver(void *opaque, const void *bytes, size_t count)
{
    struct net_user *user = opaque;
    uint32_t length = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (external_replaying(user->machine->external) && length >= ETHERNET_HEADER_BYTES && length <= ETHERNET_MAX_BYTES)
        note_frame(user, bytes, length, false);
    ethernet_link_receive(user->link, bytes, length, user->queue->now + ethernet_link_latency(user->link));
}

static const struct external_ops live_ops = {.deliver = deliver, .prepare = prepare, .take = take};
static const struct external_ops replay_ops = {.deliver = deliver};

/* Configuration */

struct forward {
    bool udp;
    struct in_addr host;
    unsigned host_port, guest_port;
};

/* Copy the part of *TEXT up to SEPARATOR, or all of it, to PART, and advance *TEXT behind it, to NULL at the end. False
 * if the part is too long. */
static bool next_part(const char **text, char separator, char part[OPTION_MAX])
{
    const char *end = strchr(*text, separator);
    size_t length = end ? (size_t)(end - *text) : strlen(*text);
    if (length >= OPTION_MAX)
        return false;
    memcpy(part, *text, length);
    part[length] = 0;
    *text = end ? end + 1 : NULL;
    return true;
}

static bool parse_port(const char *text, unsigned *port)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *port = (unsigned)value;
    return *text >= '0' && *text <= '9' && !*end && value >= 1 && value <= 65535;
}

/* "tcp:127.0.0.1:8080:80" */
static bool parse_forward(const char *text, struct forward *forward)
{
    char parts[4][OPTION_MAX];
    for (unsigned i = 0; i < 4; i++)
        if (!text || !next_part(&text, ':', parts[i]))
            return false;
    forward->udp = strcmp(parts[0], "udp") == 0;
    return !text && (forward->udp || strcmp(parts[0], "tcp") == 0) &&
           inet_pton(AF_INET, *parts[1] ? parts[1] : "127.0.0.1", &forward->host) == 1 &&
           parse_port(parts[2], &forward->host_port) && parse_port(parts[3], &forward->guest_port);
}

/* Restrictions of the guest, from the options of machine.net. */
struct restrictions {
    bool outside, host; /* all addresses outside its network; the host's loopback behind the gateway's address */
};

/* Apply the options of machine.net: set RESTRICTIONS and forward ports. Without SLIRP, forwards are only checked. */
static bool apply_options(Slirp *slirp, const char *options, struct in_addr guest, struct restrictions *restrictions,
                          struct err *err)
{
    static const char keyword[] = "forward=";
    char option[OPTION_MAX];
    struct forward forward;
    while (options && *options) {
        const char *at = options;
        bool fits = next_part(&options, ',', option);
        bool restricts = fits && strcmp(option, "restrict") == 0, hides = fits && strcmp(option, "host=off") == 0;
        restrictions->outside |= restricts;
        restrictions->host |= hides;
        if (restricts || hides)
            continue;
        if (!fits || strncmp(option, keyword, sizeof keyword - 1) != 0 ||
            !parse_forward(option + sizeof keyword - 1, &forward))
            return err_set(err,
                           "machine.net: \"%.*s\" is not restrict, host=off or "
                           "forward=tcp|udp:HOSTADDRESS:HOSTPORT:GUESTPORT",
                           (int)strcspn(at, ","), at);
        if (slirp && slirp_add_hostfwd(slirp, forward.udp, forward.host, (int)forward.host_port, guest,
                                       (int)forward.guest_port) < 0)
            return err_set(err, "machine.net: %s: %s", option, strerror(errno));
    }
    return true;
}

/* Addresses of the user-mode network, derived from the guest's configuration. */
struct addresses {
    struct in_addr guest, mask, network, gateway, nameserver;
};

static bool find_addresses(const struct board_net *net, struct addresses *addresses, struct err *err)
{
    addresses->guest = board_net_guest(net);
    addresses->mask = board_net_mask(net);
    addresses->network = board_net_network(net);
    if (inet_pton(AF_INET, net->gateway, &addresses->gateway) != 1)
        addresses->gateway.s_addr = htonl(ntohl(addresses->network.s_addr) + 2); /* not configured in the guest */
    if ((addresses->gateway.s_addr & addresses->mask.s_addr) != addresses->network.s_addr ||
        addresses->gateway.s_addr == addresses->guest.s_addr)
        return err_set(err, "net.gateway: \"%s\" is no other address in the network of net.address, %s", net->gateway,
                       net->address);
    if (inet_pton(AF_INET, net->nameserver, &addresses->nameserver) != 1)
        addresses->nameserver.s_addr = 0;
    return true;
}

static Slirp *open_slirp(struct net_user *user, const struct addresses *addresses,
                         const struct restrictions *restrictions)
{
    const SlirpConfig config = {
        .version = 1,
        .restricted = restrictions->outside,
        .disable_host_loopback = restrictions->host,
        .in_enabled = true,
        .vnetwork = addresses->network,
        .vnetmask = addresses->mask,
        .vhost = addresses->gateway,
        .vdhcp_start = addresses->guest,
        .vnameserver = addresses->nameserver,
    };
    return slirp_new(&config, &callbacks, user);
}

/* Creation */

struct net_user *net_user_create(struct machine *machine, const struct board_net *net, struct err *err)
{
    struct addresses addresses;
    struct restrictions restrictions = {0};
    if (!find_addresses(net, &addresses, err) ||
        !apply_options(NULL, net->options, addresses.guest, &restrictions, err))
        return NULL;
    bool replaying = external_replaying(machine->external);
    struct net_user *user = checked_memory(calloc(1, sizeof *user));
    user->machine = machine;
    user->queue = machine->queue;
    user->clock_hz = machine->queue->clock_hz;
    user->link = net->link;
    user->queue_tail = &user->queue_head;
    event_init(&user->arrival, "user network", frame_arrives, user);
    user->source = external_add(machine->external, "net.user", replaying ? &replay_ops : &live_ops, user);
    if (!replaying && !(user->slirp = open_slirp(user, &addresses, &restrictions)))
        err_set(err, "machine.net: libslirp refuses to make the network");
    else if (apply_options(user->slirp, net->options, addresses.guest, &restrictions, err)) {
        ethernet_link_connect(user->link, (struct ethernet_port){send_to_outside, user});
        return user;
    }
    net_user_free(user);
    return NULL;
}

void net_user_free(struct net_user *user)
{
    if (!user)
        return;
    ethernet_link_connect(user->link, (struct ethernet_port){0});
    event_cancel(user->queue, &user->arrival);
    if (user->slirp)
        slirp_cleanup(user->slirp);
    while (user->queue_head)
        net_user_drop_first(user);
    while (user->timers)
        timer_free(user->timers, user);
    external_remove(user->source);
    free(user);
}

void net_user_register_stats(const struct net_user *user, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"dropped_outside", "frames", "frames of the guest that were dropped because too many were in flight",
         &user->dropped},
        {"refused", "frames", "frames of the guest that were refused: malformed, fragments, or neither ARP nor IPv4",
         &user->refused},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}
