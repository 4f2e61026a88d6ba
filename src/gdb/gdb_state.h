/*
 * What the files of the debugger's stub share: gdb_stub.c (packets, registers, memory, breakpoints, running),
 * gdb_watch.c (watchpoints) and gdb_monitor.c (commands for the simulator). For them alone.
 */
#ifndef SIMOS_GDB_STATE_H
#define SIMOS_GDB_STATE_H

#include "src/gdb/gdb_packet.h"
#include "src/gdb/gdb_stub.h"

enum { GDB_BREAKPOINTS_MAX = 256, GDB_WATCHPOINTS_MAX = 64 };

struct gdb_stub;
struct gdb_names;

enum gdb_watch_kind { GDB_WATCH_WRITE = '2', GDB_WATCH_READ = '3', GDB_WATCH_ACCESS = '4' }; /* of Z and z */

struct gdb_watchpoint {
    struct gdb_stub *stub; /* NULL: free */
    char kind;             /* enum gdb_watch_kind */
    vaddr first, last;
};

struct gdb_stub {
    struct machine *machine;
    struct gdb_connection connection;
    struct machine_limits limits;
    const struct annotated_interpreter *interpreter;
    const char *folder;   /* of checkpoints that the debugger asks for; NULL: it may not */
    unsigned general_cpu; /* of g, G, m, M ... (Hg) */
    unsigned step_cpu;    /* of s (Hc) */
    unsigned stopped_cpu;
    unsigned breakpoint_count, watchpoint_count;
    vaddr breakpoints[GDB_BREAKPOINTS_MAX];
    struct gdb_watchpoint watchpoints[GDB_WATCHPOINTS_MAX];
    const struct gdb_watchpoint *accessed; /* why the run has stopped; NULL: not for a watchpoint */
    vaddr accessed_at;
    bool shows_before;       /* registers of stopped_cpu are shown as in BEFORE: gdb_watch.c */
    struct cpu before;       /* ... the access */
    struct gdb_names *names; /* of processes and of what they run; NULL: not looked for yet */
    bool finished;           /* leave the loop with `reason` */
    enum machine_stop reason;
    char packet[GDB_PACKET_MAX];
    char reply[GDB_PACKET_MAX];
};

/* "ADDRESS,LENGTH" in hexadecimal: *REST is behind it. False if TEXT is not that. */
bool gdb_parse_range(const char *text, vaddr *address, uint32_t *size, const char **rest);

/* Send TEXT as a packet; ends the session if the connection has ended. */
void gdb_send(struct gdb_stub *stub, const char *text);

/* Z2, Z3, Z4 (INSERT) and z2, z3, z4: KIND, and TEXT behind the comma. False: malformed, or too many. */
bool gdb_watch_change(struct gdb_stub *stub, char kind, const char *text, bool insert);
/* No access is watched any longer. */
void gdb_watch_end(struct gdb_stub *stub);
/* The part of a stop reply that says which access the run has stopped for: "watch:80001234;". Empty if for none. */
void gdb_watch_reason(struct gdb_stub *stub, char *text, size_t size);
/* The registers of CPU as the debugger sees them. */
const struct cpu *gdb_watch_registers(const struct gdb_stub *stub, unsigned cpu);
/* The debugger sees registers as they are from now on. True: until now it saw those of stopped_cpu before its access,
 * so a step of that CPU has been made now. */
bool gdb_watch_pass(struct gdb_stub *stub);

/* qRcmd: the command in hexadecimal. */
void gdb_monitor(struct gdb_stub *stub, const char *hex);
void gdb_monitor_end(struct gdb_stub *stub);

#endif
