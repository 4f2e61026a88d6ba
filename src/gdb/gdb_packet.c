#include "src/gdb/gdb_packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BREAK = 3 };

void gdb_connection_close(struct gdb_connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
}

/* Receive more input. False at the end of the connection, or if waiting must end. */
static bool fill(struct gdb_connection *c)
{
    if (c->begin == c->end)
        c->begin = c->end = 0;
    if (c->end == sizeof c->input)
        return false;
    if (c->listener && !gdb_listener_wait(c->listener, c->fd)) {
        c->ended = true;
        return false;
    }
    ssize_t n;
    do
        n = recv(c->fd, c->input + c->end, sizeof c->input - c->end, 0);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    c->end += (size_t)n;
    return true;
}

static int next_byte(struct gdb_connection *c)
{
    if (c->begin == c->end && !fill(c))
        return -1;
    return (unsigned char)c->input[c->begin++];
}

static bool send_all(struct gdb_connection *c, const char *data, size_t count)
{
    while (count > 0) {
        ssize_t n = send(c->fd, data, count, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        count -= (size_t)n;
    }
    return true;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Receive the rest of a packet after '$'. Returns 1: valid; 0: bad checksum or too long; -1: connection ended. */
static int receive_body(struct gdb_connection *c, char *buffer, size_t size, size_t *length)
{
    unsigned sum = 0;
    size_t n = 0;
    bool too_long = false;
    for (;;) {
        int byte = next_byte(c);
        if (byte < 0)
            return -1;
        if (byte == '#')
            break;
        sum += (unsigned)byte;
        if (byte == '}') {
            byte = next_byte(c);
            if (byte < 0)
                return -1;
            sum += (unsigned)byte;
            byte ^= 0x20;
        }
        if (n + 1 < size)
            buffer[n++] = (char)byte;
        else
            too_long = true;
    }
    buffer[n] = '\0';
    *length = n;
    int high = hex_digit(next_byte(c)), low = hex_digit(next_byte(c));
    return !too_long && high >= 0 && low >= 0 && (unsigned)(high << 4 | low) == (sum & 0xff);
}

bool gdb_packet_receive(struct gdb_connection *c, char *buffer, size_t size, size_t *length)
{
    *length = 0;
    *buffer = '\0';
    for (;;) {
        int byte = next_byte(c);
        if (byte < 0)
            return false;
        if (byte == BREAK) {
            c->interrupted = true;
            return true;
        }
        if (byte != '$')
            continue;
        int good = receive_body(c, buffer, size, length);
        if (good < 0)
            return false;
        if (!c->no_ack && !send_all(c, good ? "+" : "-", 1))
            return false;
        if (good)
            return true;
    }
}

bool gdb_packet_send(struct gdb_connection *c, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = strlen(text);
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (unsigned char)text[i];
    char tail[3] = {'#', digits[sum >> 4 & 15], digits[sum & 15]};
    for (int attempt = 0; attempt < 8; attempt++) {
        if (!send_all(c, "$", 1) || !send_all(c, text, n) || !send_all(c, tail, sizeof tail))
            return false;
        if (c->no_ack)
            return true;
        int byte;
        do {
            byte = next_byte(c);
            if (byte == BREAK)
                c->interrupted = true;
        } while (byte >= 0 && byte != '+' && byte != '-');
        if (byte < 0)
            return false;
        if (byte == '+')
            return true;
    }
    return false;
}

bool gdb_connection_break_pending(struct gdb_connection *c)
{
    struct pollfd poller = {.fd = c->fd, .events = POLLIN};
    if (c->listener)
        gdb_listener_refuse(c->listener);
    while (c->begin < c->end || (poll(&poller, 1, 0) > 0 && poller.revents)) {
        int byte = next_byte(c);
        if (byte < 0 || byte == BREAK)
            return true;
    }
    return false;
}

char *gdb_hex_put(char *out, const void *data, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;
    for (size_t i = 0; i < count; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
    return out;
}

bool gdb_hex_get(const char *text, void *data, size_t count)
{
    uint8_t *bytes = data;
    for (size_t i = 0; i < count; i++) {
        int high = hex_digit((unsigned char)text[2 * i]);
        int low = high < 0 ? -1 : hex_digit((unsigned char)text[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
