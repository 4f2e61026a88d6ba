#include "src/network/hub_port.h"

#include "devices/device_stats.h"
#include "src/host/external.h"
#include "src/network/hub_peers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct hub_port {
    struct machine *machine;
    struct ethernet_link *link;
    struct hub_carrier carrier;
    struct hub_peers *peers; /* socket carrier, owned; NULL: the machine's carrier is used */
    struct external_source *source;
    unsigned node, nodes;
    nsec lookahead; /* lookahead of this node; once begun, of the hub */
    bool begun;     /* all nodes have joined */
    nsec epoch;     /* hub time 0 in the machine's time */
    bool posted;    /* the message for the present barrier was posted */
    bool over;      /* no more barriers */
    struct err failure;
    bool present[HUB_NODES_MAX];
    struct hub_window own;                   /* present window */
    struct hub_window carried;               /* of a restored machine: frames not yet exchanged */
    nsec phase;                              /* ... and the elapsed part of their window */
    struct hub_window others[HUB_NODES_MAX]; /* of the present barrier */
    struct hub_arrival *arrivals;            /* buffer for all frames of one barrier */
    size_t arrival_room;
    uint8_t *message;
    size_t message_room;
    uint64_t windows, sent, received, lost, discarded;
};

const struct param_def hub_port_params[] = {
    {"net.node", PARAM_INT, TRAIT_FIXED, "", "0", 0, HUB_NODES_MAX - 1, false, NULL,
     "number of this machine in its hub"},
    {"net.nodes", PARAM_INT, TRAIT_FIXED, "", "2", 1, HUB_NODES_MAX, false, NULL,
     "machines in the hub; no machine runs before all have joined"},
    {"net.lookahead", PARAM_TIME, TRAIT_TIMED, "ns", "0", 0, 10000000000ull, false, NULL,
     "simulated time between synchronisations of a hub's nodes (lookahead); 0: as long as latency and bandwidth "
     "allow"},
    {"net.join_time", PARAM_INT, TRAIT_UNTIMED, "s", "60", 1, 1000000, false, NULL,
     "host time to wait for the other processes of a hub to join"},
    {"net.peer_time", PARAM_INT, TRAIT_UNTIMED, "s", "600", 1, 1000000, false, NULL,
     "host time to wait for another process of a hub to end a window, or to read; more for nodes in a debugger"},
};
const size_t hub_port_param_count = sizeof hub_port_params / sizeof hub_port_params[0];

/* Sending */

/* End of the present window, in hub time. */
static nsec window_end(const struct hub_port *port)
{
    return (port->own.number + 1) * port->lookahead;
}

/* The card begins to send a frame. */
static void send(void *opaque, const uint8_t *frame, uint32_t length, cycles arrival)
{
    struct hub_port *port = opaque;
    nsec complete = time_nsec(port->machine->queue, arrival) - port->epoch;
    if (port->over || !port->begun)
        port->discarded++;
    else if (hub_window_add(&port->own, complete > window_end(port) ? complete : window_end(port), frame, length))
        port->sent++;
    else
        port->lost++;
}

static void post(struct hub_port *port, size_t size)
{
    port->carrier.post(port->carrier.opaque, port->node, port->message, size);
    port->posted = true;
}

static void make_room(struct hub_port *port, size_t size)
{
    if (size <= port->message_room)
        return;
    port->message_room = 2 * size;
    port->message = checked_memory(realloc(port->message, port->message_room));
}

static void post_greeting(struct hub_port *port)
{
    const struct hub_header header = {
        .kind = HUB_HELLO, .node = port->node, .count = port->nodes, .number = port->lookahead};
    make_room(port, HUB_HEADER_BYTES);
    hub_header_encode(&header, port->message);
    post(port, HUB_HEADER_BYTES);
}

static void post_window(struct hub_port *port)
{
    size_t size = hub_window_encoded_size(&port->own);
    make_room(port, size);
    hub_window_encode(&port->own, port->node, port->message);
    post(port, size);
}

void hub_port_fail(struct hub_port *port, const struct err *reason)
{
    err_set(&port->failure, "machine.net: %.200s: %s", params_string(port->machine->params, "machine.net"),
            reason->text);
    machine_fail(port->machine, &port->failure);
}

static void barrier_reached(void *opaque)
{
    struct hub_port *port = opaque;
    if (*port->failure.text) {
        machine_fail(port->machine, &port->failure);
        return;
    }
    if (!port->posted && !port->begun) {
        post_greeting(port);
    } else if (!port->posted) {
        port->own.idle_forever = machine_is_idle_forever(port->machine);
        post_window(port);
    }
    port->carrier.synchronise(port->carrier.opaque, port);
}

/* Receiving */

bool hub_port_expects(const struct hub_port *port, unsigned node)
{
    return node < port->nodes && node != port->node && port->present[node];
}

/* Check the HEADER of a message: is it expected, and the first one of its node at this barrier? */
static bool check_header(const struct hub_port *port, const struct hub_header *header, const bool *seen,
                         struct err *err)
{
    enum hub_kind wanted = port->begun ? HUB_WINDOW : HUB_HELLO;
    if (!hub_port_expects(port, header->node) || seen[header->node])
        return err_set(err, "a message of node %u, which is not expected", header->node);
    if (header->kind != wanted)
        return err_set(err, "node %u sends %s out of turn", header->node, port->begun ? "a greeting" : "a window");
    if (wanted == HUB_WINDOW)
        return header->number == port->own.number ||
               err_set(err, "node %u sends window %" PRIu64 " instead of %" PRIu64, header->node, header->number,
                       port->own.number);
    if (header->count != port->nodes)
        return err_set(err, "node %u has net.nodes = %u, this one %u", header->node, header->count, port->nodes);
    return header->number > 0 || err_set(err, "node %u has no lookahead", header->node);
}

/* Parse all messages of one barrier. False with ERR naming the node of an invalid message. */
static bool parse(struct hub_port *port, const uint8_t *bytes, size_t size, nsec *lookahead, struct err *err)
{
    bool seen[HUB_NODES_MAX] = {false};
    while (size > 0) {
        struct hub_header header;
        struct err reason = {""};
        if (size < HUB_HEADER_BYTES)
            return err_set(err, "a message with a truncated header");
        if (!hub_header_decode(&header, bytes, err) || !check_header(port, &header, seen, err))
            return false;
        bytes += HUB_HEADER_BYTES;
        size -= HUB_HEADER_BYTES;
        if (header.body > size)
            return err_set(err, "node %u sends a truncated message", header.node);
        if (port->begun && !hub_window_decode(&port->others[header.node], &header, bytes, window_end(port), &reason))
            return err_set(err, "node %u: %s", header.node, reason.text);
        if (!port->begun && header.number < *lookahead)
            *lookahead = header.number;
        bytes += header.body;
        size -= header.body;
        seen[header.node] = true;
    }
    for (unsigned node = 0; node < port->nodes; node++)
        if (hub_port_expects(port, node) && !seen[node])
            return err_set(err, "there is no message of node %u", node);
    return true;
}

/* Deliver the frames of WINDOWS to the card's cable. */
static void deliver_frames(struct hub_port *port, const struct hub_window *const *windows)
{
    size_t count = 0;
    for (unsigned node = 0; node < port->nodes; node++)
        count += windows[node] ? windows[node]->count : 0;
    if (count > port->arrival_room) {
        free(port->arrivals);
        port->arrival_room = 2 * count;
        port->arrivals = checked_memory(malloc(port->arrival_room * sizeof *port->arrivals));
    }
    hub_window_merge(windows, port->nodes, port->arrivals);
    for (size_t i = 0; i < count; i++) {
        const struct hub_frame *frame = port->arrivals[i].frame;
        ethernet_link_receive(port->link, port->arrivals[i].window->bytes + frame->at, frame->length,
                              time_cycles_of_nsec(port->machine->queue, port->epoch + frame->arrival));
        port->received++;
    }
}

static void end_barriers(struct hub_port *port)
{
    port->over = true;
    port->machine->barrier.time = CYCLES_NEVER;
}

static void schedule_barrier(struct hub_port *port)
{
    port->machine->barrier.time = time_cycles_of_nsec(port->machine->queue, port->epoch + window_end(port));
    port->posted = false;
}

/* One window of every node has arrived: deliver the frames and begin the next window, if there is one. */
static void finish_window(struct hub_port *port)
{
    const struct hub_window *windows[HUB_NODES_MAX] = {NULL};
    bool alone = true, asleep = port->own.idle_forever && port->own.count == 0;
    for (unsigned node = 0; node < port->nodes; node++) {
        if (!hub_port_expects(port, node))
            continue;
        const struct hub_window *window = windows[node] = &port->others[node];
        port->present[node] = !window->leaving;
        alone = alone && window->leaving;
        asleep = asleep && window->count == 0 && (window->idle_forever || window->leaving);
    }
    deliver_frames(port, windows);
    port->windows++;
    hub_window_begin(&port->own, port->own.number + 1);
    if (alone || asleep)
        end_barriers(port);
    else
        schedule_barrier(port);
}

/* Send the frames of a restored machine in the first window. */
static void send_restored(struct hub_port *port)
{
    const struct hub_window *carried = &port->carried;
    for (uint32_t i = 0; i < carried->count; i++) {
        const struct hub_frame *frame = &carried->frames[i];
        nsec arrival = frame->arrival > port->epoch ? frame->arrival - port->epoch : 0;
        hub_window_add(&port->own, arrival > window_end(port) ? arrival : window_end(port), carried->bytes + frame->at,
                       frame->length);
    }
    hub_window_begin(&port->carried, 0);
}

static void begin(struct hub_port *port, nsec lookahead)
{
    port->begun = true;
    port->lookahead = lookahead;
    port->epoch = time_nsec(port->machine->queue, port->machine->now);
    port->epoch -= port->phase < lookahead && port->phase <= port->epoch ? port->phase : 0;
    send_restored(port);
    if (port->nodes == 1)
        end_barriers(port);
    else
        schedule_barrier(port);
}

bool hub_port_receive(struct hub_port *port, const uint8_t *bytes, size_t size, struct err *err)
{
    nsec lookahead = port->lookahead;
    if (!port->posted)
        return err_set(err, "messages received while the machine is not at a barrier");
    if (!parse(port, bytes, size, &lookahead, err))
        return false;
    if (port->begun)
        finish_window(port);
    else
        begin(port, lookahead);
    return true;
}

/* External input: a record of a run, or messages of other processes. */
static void deliver(void *opaque, const void *bytes, size_t size)
{
    struct hub_port *port = opaque;
    struct err err = {""};
    if (!hub_port_receive(port, bytes, size, &err))
        hub_port_fail(port, &err);
}

static const struct external_ops external_ops = {.deliver = deliver};

/* Creation */

static bool set_lookahead(struct hub_port *port, struct err *err)
{
    const struct machine *machine = port->machine;
    nsec most = time_nsec(machine->queue, ethernet_link_lookahead(port->link));
    nsec asked = params_u64(machine->params, "net.lookahead");
    port->lookahead = asked ? asked : most;
    if (most == 0)
        return err_set(err, "net.latency: too short for a hub: frames take less than 1 ns");
    return asked <= most || err_set(err,
                                    "net.lookahead: %" PRIu64 " ns is too long: what is sent may arrive after %" PRIu64
                                    " ns (net.latency, and net.bandwidth for the shortest frame)",
                                    asked, most);
}

static bool set_carrier(struct hub_port *port, const char *address, struct err *err)
{
    struct machine *machine = port->machine;
    if (machine->hub_carrier) {
        port->carrier = *machine->hub_carrier;
        return true;
    }
    if (!*address)
        return err_set(
            err, "machine.net: \"hub\" needs the address of a socket, hub:PATH; without an address it is for machines "
                 "of `simos cluster`");
    port->source = external_add(machine->external, "net.hub", &external_ops, port);
    const struct hub_timeouts timeouts = {.join_time = params_u64(machine->params, "net.join_time"),
                                          .peer_time = params_u64(machine->params, "net.peer_time")};
    port->peers = hub_peers_create(port, port->source, address, timeouts, err);
    port->carrier =
        (struct hub_carrier){.post = hub_peers_post, .synchronise = hub_peers_synchronise, .opaque = port->peers};
    return port->peers != NULL;
}

struct hub_port *hub_port_create(struct machine *machine, struct ethernet_link *link, const char *address,
                                 struct err *err)
{
    struct hub_port *port = checked_memory(calloc(1, sizeof *port));
    port->machine = machine;
    port->link = link;
    port->node = (unsigned)params_u64(machine->params, "net.node");
    port->nodes = (unsigned)params_u64(machine->params, "net.nodes");
    for (unsigned node = 0; node < port->nodes; node++)
        port->present[node] = true;
    bool done = port->node < port->nodes || err_set(err, "net.node: %u, but net.nodes is %u: valid are 0 to %u",
                                                    port->node, port->nodes, port->nodes - 1);
    if (!done || !set_lookahead(port, err) || !set_carrier(port, address, err)) {
        external_remove(port->source);
        free(port);
        return NULL;
    }
    machine->barrier = (struct machine_barrier){.time = 0, .reached = barrier_reached, .opaque = port};
    ethernet_link_connect(link, (struct ethernet_port){.send = send, .opaque = port});
    return port;
}

/* The message posted at the present barrier is window k: leaving is then announced in window k + 1. */
void hub_port_leave(struct hub_port *port)
{
    if (port->begun && !port->over) {
        if (port->posted)
            hub_window_begin(&port->own, port->own.number + 1);
        port->own.leaving = true;
        port->own.idle_forever = false;
        post_window(port);
    }
    end_barriers(port);
}

void hub_port_free(struct hub_port *port)
{
    if (!port)
        return;
    hub_port_leave(port);
    hub_peers_free(port->peers);
    external_remove(port->source);
    ethernet_link_connect(port->link, (struct ethernet_port){0});
    hub_window_release(&port->own);
    hub_window_release(&port->carried);
    for (unsigned node = 0; node < HUB_NODES_MAX; node++)
        hub_window_release(&port->others[node]);
    free(port->arrivals);
    free(port->message);
    free(port);
}

struct machine *hub_port_machine(const struct hub_port *port)
{
    return port->machine;
}

unsigned hub_port_node(const struct hub_port *port)
{
    return port->node;
}

bool hub_port_waits(const struct hub_port *port)
{
    return port->posted && !port->over;
}

unsigned hub_port_nodes(const struct hub_port *port)
{
    return port->nodes;
}

void hub_port_register_stats(const struct hub_port *port, struct stats *stats)
{
    if (!port)
        return;
    const struct device_counter rows[] = {
        {"lookahead", "ns", "simulated time between synchronisations of the nodes", &port->lookahead},
        {"windows", "windows", "windows exchanged with the other nodes", &port->windows},
        {"sent_frames", "frames", "frames sent to the other nodes", &port->sent},
        {"received_frames", "frames", "frames received from the other nodes", &port->received},
        {"lost_frames", "frames", "frames that this node sent and that were dropped: too many in one window",
         &port->lost},
        {"discarded_frames", "frames", "frames that this node sent and that were discarded: no other node was present",
         &port->discarded},
    };
    device_register_counters(stats, "net.hub", rows, sizeof rows / sizeof rows[0]);
}

/* Checkpoint: frames sent but not exchanged with the other nodes, with arrivals in the machine's time, and the elapsed
 * part of their window. The hub starts again when all nodes are restored, with that window: nodes saved at the same
 * instant continue as without the restore. */

static const struct saved_field fields[] = {
    SAVED_STATISTIC(struct hub_port, windows),   SAVED_STATISTIC(struct hub_port, sent),
    SAVED_STATISTIC(struct hub_port, received),  SAVED_STATISTIC(struct hub_port, lost),
    SAVED_STATISTIC(struct hub_port, discarded),
};

static void write_window(const struct hub_window *window, nsec epoch, struct saved_out *out)
{
    for (uint32_t i = 0; i < window->count; i++) {
        const struct hub_frame *frame = &window->frames[i];
        saved_put_u64(out, epoch + frame->arrival);
        saved_put_u32(out, frame->length);
        saved_put(out, window->bytes + frame->at, frame->length);
    }
}

static void write_frames(void *base, struct saved_out *out)
{
    const struct hub_port *port = base;
    bool unsent = port->begun && !port->over && !port->posted;
    nsec now = time_nsec(port->machine->queue, port->machine->now);
    saved_put_u64(out, unsent ? now - port->epoch - port->own.number * port->lookahead : port->phase);
    saved_put_u32(out, port->carried.count + (unsent ? port->own.count : 0));
    write_window(&port->carried, 0, out);
    if (unsent)
        write_window(&port->own, port->epoch, out);
}

static bool read_frames(void *base, struct saved_in *in, struct err *err)
{
    struct hub_port *port = base;
    uint32_t count, length;
    if (!saved_get_u64(in, &port->phase) || !saved_get_u32(in, &count))
        return false;
    hub_window_begin(&port->carried, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[HUB_FRAME_BYTES_MAX];
        uint64_t arrival;
        if (!saved_get_u64(in, &arrival) || !saved_get_u32(in, &length))
            return false;
        if (length > sizeof bytes || arrival > UINT64_C(1) << 62)
            return err_set(err, "a frame of %u bytes", length);
        if (!saved_get(in, bytes, length))
            return false;
        if (!hub_window_add(&port->carried, arrival, bytes, length))
            return err_set(err, "%u frames, one of %u bytes", count, length);
    }
    return true;
}

void hub_port_register_saved(struct hub_port *port, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_frames, .read = read_frames};
    saved_add(saved,
              &(struct saved_section){.name = "net.hub", .version = 1, .base = port, SAVED_TABLE(fields), .ops = &ops});
}
