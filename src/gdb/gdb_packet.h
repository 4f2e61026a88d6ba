/*
 * Packets of GDB's remote serial protocol over a TCP connection to this host: framing, checksums, acknowledgements,
 * hexadecimal. The bytes come from outside: anything malformed is refused, never trusted.
 */
#ifndef SIMOS_GDB_PACKET_H
#define SIMOS_GDB_PACKET_H

#include "src/base/log.h"
#include "src/base/types.h"

enum { GDB_PACKET_MAX = 16384 };

struct gdb_connection {
    int fd;
    bool no_ack;      /* QStartNoAckMode was agreed on */
    bool interrupted; /* a break (byte 3) came outside a packet */
    size_t begin, end;
    char input[GDB_PACKET_MAX];
};

/* Wait for one connection on 127.0.0.1:PORT. PORT 0 lets the host choose. LISTENING (may be NULL) is called with the
 * real port before waiting. False with ERR. */
bool gdb_connection_accept(struct gdb_connection *connection, unsigned port, void (*listening)(unsigned port),
                           struct err *err);
void gdb_connection_close(struct gdb_connection *connection);

/* Receive one packet's contents into BUFFER (NUL-terminated; binary escapes undone), its length into LENGTH. Blocks.
 * False when the connection has ended. A break byte returns true with connection->interrupted set and length 0. */
bool gdb_packet_receive(struct gdb_connection *connection, char *buffer, size_t size, size_t *length);

/* Send TEXT as a packet; waits for the acknowledgement. False when the connection has ended. */
bool gdb_packet_send(struct gdb_connection *connection, const char *text);

/* Has a break arrived, or has the connection ended? Does not block. */
bool gdb_connection_break_pending(struct gdb_connection *connection);

/* Hexadecimal: COUNT bytes of DATA as text at OUT (2 * COUNT characters and NUL); returns OUT's end. */
char *gdb_hex_put(char *out, const void *data, size_t count);
/* COUNT bytes from text; false if there are fewer or other characters. */
bool gdb_hex_get(const char *text, void *data, size_t count);

#endif
