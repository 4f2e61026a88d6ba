/*
 * Shared by the files of the gdb stub: gdb_stub.c (packets, registers, memory, breakpoints, running), gdb_watch.c
 * (watchpoints) and gdb_monitor.c (monitor commands). Internal to the stub.
 */
#ifndef SIMOS_GDB_STATE_H
#define SIMOS_GDB_STATE_H

#include "src/gdb/gdb_packet.h"
#include "src/gdb/gdb_stub.h"

enum { GDB_BREAKPOINTS_MAX = 256, GDB_WATCHPOINTS_MAX = 64 };

struct gdb_stub;
struct gdb_names;

enum gdb_watch_kind {
    GDB_WATCH_WRITE = '2',
    GDB_WATCH_READ = '3',
    GDB_WATCH_ACCESS = '4'
}; /* digits of the Z and z packets */

struct gdb_watchpoint {
    struct gdb_stub *stub; /* NULL: unused slot */
    char kind;             /* enum gdb_watch_kind */
    vaddr first, last;
};

struct gdb_stub {
    struct machine *machine;
    struct gdb_connection connection;
    struct machine_limits limits;
    const struct annotated_interpreter *interpreter;
    const char *folder;   /* where the debugger may save checkpoints; NULL: not allowed */
    unsigned general_cpu; /* CPU of g, G, m, M ... (selected with Hg) */
    unsigned step_cpu;    /* CPU of s (selected with Hc) */
    unsigned stopped_cpu;
    unsigned breakpoint_count, watchpoint_count;
    vaddr breakpoints[GDB_BREAKPOINTS_MAX];
    struct gdb_watchpoint watchpoints[GDB_WATCHPOINTS_MAX];
    const struct gdb_watchpoint *accessed; /* watchpoint that stopped the run; NULL: none */
    vaddr accessed_at;
    bool shows_saved;        /* stopped_cpu's registers are shown as in BEFORE (gdb_watch.c) */
    struct cpu before;       /* state before the access */
    struct gdb_names *names; /* names of processes and user code; NULL: not created yet */
    bool finished;           /* leave the loop with `reason` */
    enum machine_stop reason;
    char packet[GDB_PACKET_MAX];
    char reply[GDB_PACKET_MAX];
};

/* Parse "ADDRESS,LENGTH" in hexadecimal; *REST is the text after it. Returns false if TEXT is malformed. */
bool gdb_parse_range(const char *text, vaddr *address, uint32_t *size, const char **rest);

/* Send TEXT as a packet. Finishes the session if the connection has ended. */
void gdb_send(struct gdb_stub *stub, const char *text);

/* Z2, Z3, Z4 (INSERT) and z2, z3, z4: KIND, and TEXT after its comma. Returns false if malformed or the table is
 * full. */
bool gdb_watch_change(struct gdb_stub *stub, char kind, const char *text, bool insert);
/* Remove all watchpoints. */
void gdb_watch_remove_all(struct gdb_stub *stub);
/* The part of a stop reply that names the watchpoint which stopped the run, "watch:80001234;"; empty if none did. */
void gdb_watch_reason(struct gdb_stub *stub, char *text, size_t size);
/* The registers of CPU as shown to the debugger. */
const struct cpu *gdb_watch_registers(const struct gdb_stub *stub, unsigned cpu);
/* Show the real registers again. True if those before the access were shown: then the CPU has in effect made a step. */
bool gdb_watch_show_current(struct gdb_stub *stub);

/* qRcmd: execute the monitor command that is encoded in hexadecimal in HEX. */
void gdb_monitor(struct gdb_stub *stub, const char *hex);
void gdb_monitor_end(struct gdb_stub *stub);

#endif
