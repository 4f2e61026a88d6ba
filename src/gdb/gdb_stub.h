/*
 * The remote stub behind `--gdb PORT`: gdb-multiarch breaks, steps, reads and writes in the running guest. Every CPU is
 * a thread (thread number = CPU + 1); all stop together.
 *
 * Not offered: non-stop mode, reverse execution, watching DMA. The guest's clock stands still while it is stopped.
 */
#ifndef SIMOS_GDB_STUB_H
#define SIMOS_GDB_STUB_H

#include "src/machine/machine.h"

struct annotated_interpreter;

struct gdb_options {
    unsigned port;                                   /* 0: any free one */
    const char *folder;                              /* of the checkpoints that the debugger saves; NULL: it may not */
    const struct annotated_interpreter *interpreter; /* for the names of processes; NULL: they have none */
};

/*
 * Serve one debugger on 127.0.0.1:PORT (0: any free port; the line "simos: waiting for gdb on 127.0.0.1:N" on stderr
 * names it). The guest does not run before the debugger says so. Returns when the debugger detaches or kills, the
 * connection ends, or the guest's run ends. `monitor checkpoint save NAME` writes new files into FOLDER, and nothing
 * does if that is NULL. REASON tells in what state the machine is: MACHINE_STOP_REQUEST after a
 * kill, MACHINE_STOP_HOOK after a detach or a lost connection (the caller lets it run on). False with ERR if the port
 * cannot be had, or there is no such folder.
 */
bool gdb_stub_serve(struct machine *machine, const struct gdb_options *options, const struct machine_limits *limits,
                    enum machine_stop *reason, struct err *err);

#endif
