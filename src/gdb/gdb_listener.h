/*
 * The port of `--gdb PORT`, on the loopback interface: one debugger at a time, one after the other. While one is
 * connected, others are refused.
 */
#ifndef SIMOS_GDB_GDB_LISTENER_H
#define SIMOS_GDB_GDB_LISTENER_H

#include "src/base/log.h"

struct gdb_listener {
    int fd;                          /* -1: closed */
    int interrupt_fd;                /* readable when waiting must end; -1: none */
    bool (*is_ending)(void *opaque); /* must waiting end? Called when a signal handler has run. NULL: no */
    void *opaque;
};

/* Listen on 127.0.0.1:PORT (0: a port that the host chooses), whose number is stored in *ACTUAL. False with ERR. */
bool gdb_listener_open(struct gdb_listener *listener, unsigned port, unsigned *actual, struct err *err);
void gdb_listener_close(struct gdb_listener *listener);

/* Wait for a debugger: its socket; -1: waiting must end, or the host has no more sockets. */
int gdb_listener_accept(struct gdb_listener *listener);

/* Does a debugger wait to be accepted? Does not block. */
bool gdb_listener_has_caller(const struct gdb_listener *listener);

/* Wait until FD is readable, and refuse other debuggers meanwhile. False: waiting must end. */
bool gdb_listener_wait(const struct gdb_listener *listener, int fd);

/* Refuse debuggers that wait. Does not block. */
void gdb_listener_refuse(const struct gdb_listener *listener);

#endif
