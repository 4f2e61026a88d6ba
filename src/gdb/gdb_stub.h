/*
 * The gdb stub of `--gdb PORT`: gdb-multiarch sets breakpoints, steps, and reads and writes registers and memory of
 * the running guest. Each CPU is a thread (thread number = CPU + 1); all stop together.
 *
 * Not supported: non-stop mode, reverse execution, watchpoints for DMA. Simulated time does not advance while the
 * guest is stopped.
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
 * has the number). The guest runs only when the debugger resumes it. Returns when the debugger detaches or kills, the
 * connection ends, or the guest's run ends. `monitor checkpoint save NAME` creates files in FOLDER; NULL: not
 * allowed. *REASON: MACHINE_STOP_REQUEST after a kill; MACHINE_STOP_HOOK after a detach or a lost connection (the
 * caller then continues the run); else why the guest's run ended. Returns false with ERR if the port cannot be used
 * or FOLDER does not exist.
 */
bool gdb_stub_serve(struct machine *machine, const struct gdb_options *options, const struct machine_limits *limits,
                    enum machine_stop *reason, struct err *err);

#endif
