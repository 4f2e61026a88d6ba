#include "src/network/net_connections.h"

#include <string.h>

enum { TYPE = 12, IP = ETHERNET_HEADER_BYTES, IP_BYTES = 20, IP_PROTOCOL = 9, IP_SOURCE = 12, IP_TARGET = 16 };
enum { TCP_BYTES = 20, TCP_FLAGS = 13, TCP_FIN = 1, TCP_SYN = 2, TCP_RST = 4, TCP_ACK = 16, PROTOCOL_TCP = 6 };
enum { ENDED_BY_GUEST = 1, ENDED_BY_PEER = 2, SAVED_BYTES = 13 };

/* Index of the connection with CONNECTION's addresses and ports, or the number of connections. */
static uint32_t find(const struct net_connections *connections, const struct net_connection *connection)
{
    uint32_t at = 0;
    while (at < connections->count &&
           memcmp(&connections->list[at], connection, offsetof(struct net_connection, ended)) != 0)
        at++;
    return at;
}

static void drop(struct net_connections *connections, uint32_t at)
{
    connections->count--;
    memmove(&connections->list[at], &connections->list[at + 1],
            (connections->count - at) * sizeof connections->list[0]);
}

/* Update CONNECTION from a segment's FLAGS and move it to the end of the list; remove it if it has ended. */
static void update(struct net_connections *connections, struct net_connection *connection, unsigned flags,
                   bool from_guest)
{
    uint32_t at = find(connections, connection);
    if (at < connections->count) {
        connection->ended = connections->list[at].ended;
        drop(connections, at);
    } else if (!from_guest)
        return; /* not yet accepted by the guest */
    if (flags & TCP_FIN)
        connection->ended |= from_guest ? ENDED_BY_GUEST : ENDED_BY_PEER;
    if ((flags & TCP_RST) || connection->ended == (ENDED_BY_GUEST | ENDED_BY_PEER))
        return;
    if (connections->count == NET_CONNECTIONS_MAX)
        drop(connections, 0);
    connections->list[connections->count++] = *connection;
}

void net_connections_note(struct net_connections *connections, const uint8_t *frame, uint32_t length, bool from_guest)
{
    const uint8_t *ip = frame + IP;
    if (length < IP + IP_BYTES + TCP_BYTES || frame[TYPE] != 8 || frame[TYPE + 1] != 0 ||
        ip[IP_PROTOCOL] != PROTOCOL_TCP)
        return;
    uint32_t header = ip[0] % 16 * 4u;
    if (header < IP_BYTES || length < IP + header + TCP_BYTES)
        return;
    const uint8_t *tcp = ip + header, *source = ip + IP_SOURCE, *target = ip + IP_TARGET;
    unsigned flags = tcp[TCP_FLAGS];
    if (!(flags & (TCP_ACK | TCP_RST)))
        return; /* first segment of a connection: it is sent again if not answered */
    struct net_connection connection = {.ended = 0};
    memcpy(connection.guest, from_guest ? source : target, sizeof connection.guest);
    memcpy(connection.peer, from_guest ? target : source, sizeof connection.peer);
    memcpy(connection.guest_port, tcp + (from_guest ? 0 : 2), sizeof connection.guest_port);
    memcpy(connection.peer_port, tcp + (from_guest ? 2 : 0), sizeof connection.peer_port);
    update(connections, &connection, flags, from_guest);
}

/* Add the 16-bit words of COUNT bytes (even) to the RFC 1071 checksum SUM. */
static uint32_t add_up(const uint8_t *bytes, unsigned count, uint32_t sum)
{
    for (unsigned i = 0; i < count; i += 2)
        sum += bytes[i] * 256u + bytes[i + 1];
    return sum;
}

static void put_checksum(uint8_t *to, uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    to[0] = (uint8_t)(~sum >> 8);
    to[1] = (uint8_t)~sum;
}

void net_connection_probe(const struct net_connection *connection, const uint8_t mac[ETHERNET_ADDRESS_BYTES],
                          uint8_t frame[NET_CONNECTION_FRAME])
{
    static const uint8_t type[] = {8, 0}, network[] = {0x52, 0x55};
    static const uint8_t ip_head[] = {0x45, 0, 0, IP_BYTES + TCP_BYTES, 0, 0, 0x40, 0, 64, PROTOCOL_TCP};
    uint8_t *ip = frame + IP, *tcp = ip + IP_BYTES;
    memset(frame, 0, NET_CONNECTION_FRAME);
    memcpy(frame, mac, ETHERNET_ADDRESS_BYTES);
    memcpy(frame + ETHERNET_ADDRESS_BYTES, network, sizeof network);
    memcpy(frame + ETHERNET_ADDRESS_BYTES + sizeof network, connection->peer, sizeof connection->peer);
    memcpy(frame + TYPE, type, sizeof type);
    memcpy(ip, ip_head, sizeof ip_head);
    memcpy(ip + IP_SOURCE, connection->peer, sizeof connection->peer);
    memcpy(ip + IP_TARGET, connection->guest, sizeof connection->guest);
    put_checksum(ip + 10, add_up(ip, IP_BYTES, 0));
    memcpy(tcp, connection->peer_port, sizeof connection->peer_port);
    memcpy(tcp + 2, connection->guest_port, sizeof connection->guest_port);
    tcp[12] = TCP_BYTES / 4 << 4;
    tcp[TCP_FLAGS] = TCP_SYN;
    tcp[14] = 16; /* a window of 4096 bytes */
    put_checksum(tcp + 16, add_up(tcp, TCP_BYTES, add_up(ip + IP_SOURCE, 8, PROTOCOL_TCP + TCP_BYTES)));
}

void net_connections_write(const struct net_connections *connections, struct saved_out *out)
{
    saved_put_u32(out, connections->count);
    for (uint32_t i = 0; i < connections->count; i++)
        saved_put(out, &connections->list[i], SAVED_BYTES);
}

bool net_connections_read(struct net_connections *connections, struct saved_in *in, struct err *err)
{
    _Static_assert(sizeof connections->list[0] == SAVED_BYTES, "bytes only");
    uint32_t count;
    connections->count = 0;
    if (!saved_get_u32(in, &count))
        return false;
    if (count > NET_CONNECTIONS_MAX)
        return err_set(err, "%u connections; at most %d", count, NET_CONNECTIONS_MAX);
    for (; connections->count < count; connections->count++) {
        struct net_connection *connection = &connections->list[connections->count];
        if (!saved_get(in, connection, SAVED_BYTES))
            return false;
        connection->ended &= ENDED_BY_GUEST | ENDED_BY_PEER;
    }
    return true;
}
