#include "src/network/hub_peers.h"

#include "src/base/host_time.h"
#include "src/network/hub_port.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    SLICE_MS = 50,        /* longest wait between checks for signals */
    READ_BYTES = 1 << 16, /* per recv() */
    UNIDENTIFIED_MAX = 2 * HUB_NODES_MAX,
    NOTICE_MS = 2000,     /* wait after which the awaited node is reported, once */
    LEAVE_MAX_MS = 10000, /* time limit for sending after this node has left, if net.peer_time is longer */
};

/* A connection. */
struct peer {
    int fd;     /* -1: not connected, or closed */
    bool ended; /* the other end has closed, or failed */
    uint8_t *in;
    size_t in_size, in_room;
    size_t sent; /* bytes of hub_peers.out already sent */
};

struct hub_peers {
    struct hub_port *port;
    struct machine *machine;
    struct external_source *source;
    char *address;
    struct hub_timeouts timeouts;
    int listener;  /* -1: all nodes are connected */
    bool created;  /* the socket file was created by this process */
    bool joined;   /* all nodes have greeted */
    bool notified; /* a wait was reported */
    int64_t since; /* host time in ms at which the present exchange began */
    struct peer peers[HUB_NODES_MAX];
    struct peer unidentified[UNIDENTIFIED_MAX]; /* accepted connections without a HELLO message yet */
    uint8_t *out;                               /* posted messages not yet sent to all peers */
    size_t out_size, out_room;
    uint8_t *batch;
    size_t batch_room;
};

/* Addresses */

static void set_name(struct sockaddr_un *name, const char *address, unsigned node)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(name->sun_path, sizeof name->sun_path, "%s.%u", address, node);
}

static int try_connect(const char *address, unsigned node)
{
    struct sockaddr_un name;
    set_name(&name, address, node);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&name, sizeof name) == 0)
        return fd;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return -1;
}

/* Remove the socket file of a killed process. True if it was removed. */
static bool remove_stale(const char *address, unsigned node)
{
    struct sockaddr_un name;
    struct stat status;
    set_name(&name, address, node);
    int fd = try_connect(address, node);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == ECONNREFUSED && lstat(name.sun_path, &status) == 0 && S_ISSOCK(status.st_mode) &&
           unlink(name.sun_path) == 0;
}

static bool listen_for_others(struct hub_peers *peers, struct err *err)
{
    struct sockaddr_un name;
    unsigned node = hub_port_node(peers->port);
    set_name(&name, peers->address, node);
    peers->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (peers->listener < 0)
        return err_set(err, "machine.net: hub:%.108s: %s", peers->address, strerror(errno));
    int bound = bind(peers->listener, (const struct sockaddr *)&name, sizeof name);
    if (bound < 0 && errno == EADDRINUSE) {
        if (!remove_stale(peers->address, node))
            return err_set(err, "machine.net: hub:%.108s: there is a node %u (net.node) already: %s.%u exists",
                           peers->address, node, peers->address, node);
        bound = bind(peers->listener, (const struct sockaddr *)&name, sizeof name);
    }
    peers->created = bound == 0;
    return (bound == 0 && listen(peers->listener, UNIDENTIFIED_MAX) == 0) ||
           err_set(err, "machine.net: hub:%.108s: %s: %s", peers->address, name.sun_path, strerror(errno));
}

/* Connections */

static void end_peer(struct peer *peer)
{
    if (peer->fd >= 0)
        close(peer->fd);
    free(peer->in);
    *peer = (struct peer){.fd = -1};
}

static void write_to(struct hub_peers *peers, struct peer *peer)
{
    while (peer->fd >= 0 && peer->sent < peers->out_size) {
        ssize_t count = send(peer->fd, peers->out + peer->sent, peers->out_size - peer->sent, MSG_NOSIGNAL);
        if (count > 0)
            peer->sent += (size_t)count;
        else if (count < 0 && errno == EINTR)
            continue;
        else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        else
            peer->sent = peers->out_size; /* discard; a failure is detected when reading */
    }
}

/* Size of the first complete message; 0: none. ERR if the header is invalid. */
static size_t whole_message(const struct peer *peer, struct err *err)
{
    struct hub_header header;
    if (peer->in_size < HUB_HEADER_BYTES || !hub_header_decode(&header, peer->in, err))
        return 0;
    size_t size = HUB_HEADER_BYTES + (size_t)header.body;
    return peer->in_size >= size ? size : 0;
}

/* Read until a complete message is available, or the socket has no more data. */
static bool read_from(struct peer *peer, struct err *err)
{
    while (peer->fd >= 0 && !peer->ended && whole_message(peer, err) == 0) {
        if (*err->text)
            return false;
        peer->in = hub_window_grow(peer->in, &peer->in_room, peer->in_size + READ_BYTES);
        ssize_t count = recv(peer->fd, peer->in + peer->in_size, READ_BYTES, 0);
        if (count > 0)
            peer->in_size += (size_t)count;
        else if (count < 0 && errno == EINTR)
            continue;
        else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        else
            peer->ended = true;
    }
    return true;
}

/* Accepted connections become peers when their HELLO message has arrived. One that closes without a message is ignored,
 * such as a process that checks whether this node is running. */
static bool identify_connections(struct hub_peers *peers, struct err *err)
{
    for (unsigned i = 0; i < UNIDENTIFIED_MAX; i++) {
        struct peer *connection = &peers->unidentified[i];
        struct hub_header header;
        if (connection->fd < 0)
            continue;
        if (!read_from(connection, err))
            return false;
        if (connection->in_size >= HUB_HEADER_BYTES) {
            if (!hub_header_decode(&header, connection->in, err))
                return false;
            if (!hub_port_expects(peers->port, header.node) || peers->peers[header.node].fd >= 0)
                return err_set(err, "node %u has already joined, or does not exist (net.node, net.nodes)", header.node);
            peers->peers[header.node] = *connection;
            *connection = (struct peer){.fd = -1};
        } else if (connection->ended)
            end_peer(connection);
    }
    return true;
}

static void accept_connections(struct hub_peers *peers)
{
    for (unsigned i = 0; i < UNIDENTIFIED_MAX; i++) {
        if (peers->unidentified[i].fd >= 0)
            continue;
        int fd = accept4(peers->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        peers->unidentified[i] = (struct peer){.fd = fd};
    }
}

static void stop_listening(struct hub_peers *peers)
{
    if (peers->listener >= 0)
        close(peers->listener);
    peers->listener = -1;
    if (peers->created) {
        struct sockaddr_un name;
        set_name(&name, peers->address, hub_port_node(peers->port));
        unlink(name.sun_path);
    }
    peers->created = false;
    for (unsigned i = 0; i < UNIDENTIFIED_MAX; i++)
        end_peer(&peers->unidentified[i]);
}

static int64_t host_milliseconds(void)
{
    return (int64_t)(host_time() / 1000000);
}

static bool is_missing(const struct hub_peers *peers, unsigned node)
{
    return hub_port_expects(peers->port, node) && peers->peers[node].fd < 0;
}

/* Connect to the missing nodes. True when all are connected. */
static bool join(struct hub_peers *peers, struct err *err)
{
    if (peers->listener < 0)
        return true;
    for (unsigned node = 0; node < hub_port_node(peers->port); node++)
        if (peers->peers[node].fd < 0)
            peers->peers[node].fd = try_connect(peers->address, node);
    accept_connections(peers);
    if (!identify_connections(peers, err))
        return false;
    for (unsigned node = 0; node < hub_port_nodes(peers->port); node++)
        if (is_missing(peers, node))
            return false;
    stop_listening(peers);
    return true;
}

/* Exchange */

/* Read and write without blocking. True if every peer has received all posted messages and a message of each has
 * arrived. */
static bool transfer(struct hub_peers *peers, struct err *err)
{
    bool done = peers->listener < 0;
    for (unsigned node = 0; node < hub_port_nodes(peers->port); node++) {
        struct peer *peer = &peers->peers[node];
        struct err reason = {""};
        if (!hub_port_expects(peers->port, node) || peer->fd < 0)
            continue;
        write_to(peers, peer);
        if (!read_from(peer, &reason))
            return err_set(err, "node %u sends invalid data: %s", node, reason.text);
        bool whole = whole_message(peer, &reason) > 0;
        if (!whole && peer->ended)
            return err_set(err, "node %u has ended without leaving the hub", node);
        done = done && whole && peer->sent == peers->out_size;
    }
    return done;
}

/* What NODE has failed to do for this exchange; NULL: nothing. */
static const char *default_of(const struct hub_peers *peers, unsigned node)
{
    const struct peer *peer = &peers->peers[node];
    struct err err = {""};
    if (!hub_port_expects(peers->port, node))
        return NULL;
    if (!peers->joined && (peer->fd < 0 || whole_message(peer, &err) == 0))
        return "has not joined";
    if (whole_message(peer, &err) == 0)
        return peer->in_size > 0 ? "has not sent the rest of its message" : "has sent nothing";
    return peer->sent < peers->out_size ? "has not read what was sent to it" : NULL;
}

/* Is the time for this exchange over? Then ERR names the first node that is waited for. */
static bool is_overdue(struct hub_peers *peers, struct err *err)
{
    const int64_t waited = host_milliseconds() - peers->since;
    const int64_t limit = 1000 * (int64_t)(peers->joined ? peers->timeouts.peer_time : peers->timeouts.join_time);
    if (waited <= limit && (waited <= NOTICE_MS || peers->notified))
        return false;
    unsigned node = 0;
    while (node < HUB_NODES_MAX && !default_of(peers, node))
        node++;
    if (node == HUB_NODES_MAX)
        return false;
    if (waited > limit) {
        err_set(err, "node %u %s within %lld s (%s)%s", node, default_of(peers, node), (long long)(limit / 1000),
                peers->joined ? "net.peer_time" : "net.join_time",
                peers->joined || peers->peers[node].fd < 0 ? "" : ": it is connected, but has sent no greeting");
        return true;
    }
    log_info(peers->machine->log, "hub:%s: waiting for node %u", peers->address, node);
    peers->notified = true;
    return false;
}

static void wait_io(const struct hub_peers *peers, int timeout_ms)
{
    struct pollfd fds[1 + HUB_NODES_MAX + UNIDENTIFIED_MAX];
    nfds_t count = 0;
    if (peers->listener >= 0)
        fds[count++] = (struct pollfd){.fd = peers->listener, .events = POLLIN};
    for (unsigned i = 0; i < HUB_NODES_MAX; i++) {
        const struct peer *peer = &peers->peers[i];
        struct err err = {""};
        short events = (short)((peer->sent < peers->out_size ? POLLOUT : 0) |
                               (whole_message(peer, &err) == 0 && !peer->ended ? POLLIN : 0));
        if (peer->fd >= 0 && events)
            fds[count++] = (struct pollfd){.fd = peer->fd, .events = events};
    }
    for (unsigned i = 0; i < UNIDENTIFIED_MAX; i++)
        if (peers->unidentified[i].fd >= 0)
            fds[count++] = (struct pollfd){.fd = peers->unidentified[i].fd, .events = POLLIN};
    poll(fds, count, timeout_ms);
}

/* Close the connections of nodes that have left; the posted messages were sent to all. */
static void finish_exchange(struct hub_peers *peers)
{
    for (unsigned node = 0; node < HUB_NODES_MAX; node++) {
        peers->peers[node].sent = 0;
        if (!hub_port_expects(peers->port, node))
            end_peer(&peers->peers[node]);
    }
    peers->out_size = 0;
}

/* Deliver the first message of every peer, in node order, as one unit. */
static void deliver(struct hub_peers *peers)
{
    size_t size = 0;
    struct err err = {""};
    for (unsigned node = 0; node < HUB_NODES_MAX; node++) {
        struct peer *peer = &peers->peers[node];
        size_t message = peer->fd >= 0 ? whole_message(peer, &err) : 0;
        if (message == 0)
            continue;
        peers->batch = hub_window_grow(peers->batch, &peers->batch_room, size + message);
        memcpy(peers->batch + size, peer->in, message);
        memmove(peer->in, peer->in + message, peer->in_size - message);
        peer->in_size -= message;
        size += message;
    }
    external_deliver(peers->source, peers->batch, size);
    finish_exchange(peers);
    peers->joined = true;
}

static void exchange(void *opaque)
{
    struct hub_peers *peers = opaque;
    struct machine *machine = peers->machine;
    struct err err = {""};
    peers->since = host_milliseconds();
    while (!machine->stopping) {
        if (join(peers, &err) && transfer(peers, &err)) {
            deliver(peers);
            return;
        }
        if (*err.text || is_overdue(peers, &err)) {
            hub_port_fail(peers->port, &err);
            return;
        }
        /* poll() cannot wait for a node that is not yet listening */
        wait_io(peers, peers->listener >= 0 ? SLICE_MS / 5 : SLICE_MS);
        if (machine->host && machine->host->poll)
            machine->host->poll(machine->host_opaque);
    }
}

void hub_peers_synchronise(void *opaque, struct hub_port *port)
{
    struct hub_peers *peers = opaque;
    struct machine *machine = peers->machine;
    external_at_barrier(machine->external, exchange, peers);
    if (!machine->stopping && hub_port_waits(port))
        hub_port_fail(port, &(struct err){"the record has no messages of the other nodes for this barrier"});
}

void hub_peers_post(void *opaque, unsigned node, const uint8_t *bytes, size_t size)
{
    struct hub_peers *peers = opaque;
    (void)node;
    if (external_replaying(peers->machine->external))
        return;
    peers->out = hub_window_grow(peers->out, &peers->out_room, peers->out_size + size);
    memcpy(peers->out + peers->out_size, bytes, size);
    peers->out_size += size;
}

/* Life */

struct hub_peers *hub_peers_create(struct hub_port *port, struct external_source *source, const char *address,
                                   struct hub_timeouts timeouts, struct err *err)
{
    struct hub_peers *peers = checked_memory(calloc(1, sizeof *peers));
    peers->port = port;
    peers->machine = hub_port_machine(port);
    peers->source = source;
    peers->address = checked_memory(strdup(address));
    peers->timeouts = timeouts;
    peers->listener = -1;
    for (unsigned i = 0; i < HUB_NODES_MAX; i++)
        peers->peers[i].fd = -1;
    for (unsigned i = 0; i < UNIDENTIFIED_MAX; i++)
        peers->unidentified[i].fd = -1;
    const size_t longest = sizeof((struct sockaddr_un *)NULL)->sun_path - sizeof ".63";
    bool done =
        strlen(address) <= longest ||
        err_set(err, "machine.net: hub:%.64s...: the address of a socket has at most %zu bytes", address, longest);
    if (done && (external_replaying(peers->machine->external) || listen_for_others(peers, err)))
        return peers;
    stop_listening(peers);
    free(peers->address);
    free(peers);
    return NULL;
}

/* Send the messages that this node posted last. */
static void send_rest(struct hub_peers *peers)
{
    const int64_t limit = 1000 * (int64_t)peers->timeouts.peer_time;
    const int64_t end = host_milliseconds() + (limit < LEAVE_MAX_MS ? limit : LEAVE_MAX_MS);
    for (;;) {
        bool done = true;
        for (unsigned node = 0; node < HUB_NODES_MAX; node++) {
            struct peer *peer = &peers->peers[node];
            peer->ended = true; /* no more reading */
            write_to(peers, peer);
            done = done && (peer->fd < 0 || peer->sent == peers->out_size);
        }
        if (done || host_milliseconds() > end)
            return;
        wait_io(peers, SLICE_MS);
    }
}

void hub_peers_free(struct hub_peers *peers)
{
    if (!peers)
        return;
    stop_listening(peers);
    send_rest(peers);
    for (unsigned node = 0; node < HUB_NODES_MAX; node++)
        end_peer(&peers->peers[node]);
    free(peers->address);
    free(peers->out);
    free(peers->batch);
    free(peers);
}
