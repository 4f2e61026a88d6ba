/*
 * The gdb stub of `--gdb PORT`: gdb-multiarch sets breakpoints, steps, and reads and writes registers and memory of
 * the running guest. Each CPU is a thread (thread number = CPU + 1); all stop together. After one debugger has
 * detached or its connection is lost, another may connect.
 *
 * Packets of the remote protocol that are not in the table of gdb_stub.c are answered with the empty packet. Not
 * supported: non-stop and extended mode, several processes, files, watchpoints for DMA except backwards. Simulated time
 * does not advance while the guest is stopped.
 *
 *     server = gdb_server_create(machine, &options, &limits, &err);
 *     reason = gdb_server_serve(server);        // as often as there are debuggers
 *     gdb_server_end(server, exit_status);
 */
#ifndef SIMOS_GDB_GDB_STUB_H
#define SIMOS_GDB_GDB_STUB_H

#include "src/history/history.h"
#include "src/machine/machine.h"

struct annotated_interpreter;
struct gdb_server;

enum { GDB_SLICE_CYCLES = 1 << 18 }; /* of simulated time, between two looks at the port while the guest runs */

struct gdb_options {
    unsigned port;                                   /* 0: any free one */
    const char *folder;                              /* of the checkpoints that the debugger saves; NULL: it may not */
    const struct annotated_interpreter *interpreter; /* for the names of processes; NULL: they have none */
    const struct history_options *history;           /* keep the past, for reverse execution; NULL: it is not kept */
    /* Runs the guest up to LIMITS where the debugger resumes it, and does what else the run does meanwhile; NULL:
     * nothing else. Not called in the past, where OPAQUE's run does nothing. */
    enum machine_stop (*run)(void *opaque, const struct machine_limits *limits);
    int interrupt_fd;                /* readable when waiting for a debugger must end; -1: none */
    bool (*is_ending)(void *opaque); /* the same, after a signal handler has run; NULL: none */
    void *opaque;                    /* of is_ending and run */
};

/*
 * Listen on 127.0.0.1:PORT; the line "simos: waiting for gdb on 127.0.0.1:N" on stderr has the number. `monitor
 * checkpoint save NAME` creates files in FOLDER; NULL: not allowed. LIMITS of the run apply under the debugger too.
 * NULL with ERR if the port cannot be used or FOLDER does not exist.
 */
struct gdb_server *gdb_server_create(struct machine *machine, const struct gdb_options *options,
                                     const struct machine_limits *limits, struct err *err);

/* The number of the port. */
unsigned gdb_server_port(const struct gdb_server *server);

/*
 * Wait for a debugger, and serve it until it detaches or kills, its connection ends, or the run ends. The guest runs
 * only when the debugger resumes it. Returns MACHINE_STOP_HOOK after a detach or a lost connection (the caller then
 * continues the run, and calls this again if gdb_server_has_caller()); MACHINE_STOP_REQUEST after a kill, or when
 * waiting had to end; else why the run ended.
 */
enum machine_stop gdb_server_serve(struct gdb_server *server);

/* The run has ended: forget its past, before the machine is freed. */
void gdb_server_end_past(struct gdb_server *server);

/* Does another debugger wait to be served? Does not block. */
bool gdb_server_has_caller(const struct gdb_server *server);

/* Close the port and free. A debugger that has resumed the guest is told that the run has ended with STATUS, the exit
 * status (0..255). The machine need not exist any longer. NULL is allowed. */
void gdb_server_end(struct gdb_server *server, int status);

#endif
