/*
 * Packets of GDB's remote serial protocol over a TCP connection on the loopback interface: framing, checksums,
 * acknowledgements, hexadecimal. Input is untrusted: malformed input is rejected.
 */
#ifndef SIMOS_GDB_GDB_PACKET_H
#define SIMOS_GDB_GDB_PACKET_H

#include "src/base/log.h"
#include "src/base/types.h"
#include "src/gdb/gdb_listener.h"

enum { GDB_PACKET_MAX = 16384 };

struct gdb_connection {
    int fd;                              /* -1: none */
    const struct gdb_listener *listener; /* ends waiting, and refuses other debuggers; NULL: none */
    bool ended;                          /* waiting had to end */
    bool no_ack;                         /* QStartNoAckMode was negotiated */
    bool interrupted;                    /* a break (byte 3) arrived outside a packet */
    size_t begin, end;
    char input[GDB_PACKET_MAX];
};

void gdb_connection_close(struct gdb_connection *connection);

/* Receive the contents of one packet into BUFFER (NUL-terminated, binary escapes undone), its length into *LENGTH.
 * Blocks. Returns false at the end of the connection. A break byte returns true with connection->interrupted set and
 * length 0. */
bool gdb_packet_receive(struct gdb_connection *connection, char *buffer, size_t size, size_t *length);

/* Send TEXT as a packet and wait for the acknowledgement. Returns false at the end of the connection. */
bool gdb_packet_send(struct gdb_connection *connection, const char *text);

/* Has a break arrived or the connection ended? Does not block. */
bool gdb_connection_break_pending(struct gdb_connection *connection);

/* Write COUNT bytes of DATA as hexadecimal to OUT (2 * COUNT characters and NUL). Returns the end of OUT. */
char *gdb_hex_put(char *out, const void *data, size_t count);
/* Parse COUNT bytes from hexadecimal TEXT. False if it is shorter or has other characters. */
bool gdb_hex_get(const char *text, void *data, size_t count);

#endif
