/*
 * Shared by the files of the gdb stub: gdb_stub.c (sessions and the table of packets), gdb_query.c (queries),
 * gdb_registers.c, gdb_memory.c, gdb_points.c (breakpoints), gdb_watch.c (watchpoints), gdb_run.c (running),
 * gdb_monitor.c (monitor commands) and gdb_past.c (the past). Internal to the stub.
 */
#ifndef SIMOS_GDB_GDB_STATE_H
#define SIMOS_GDB_GDB_STATE_H

#include "src/gdb/gdb_packet.h"
#include "src/gdb/gdb_stub.h"
#include "src/history/history.h"
#include <stdio.h>

enum { GDB_BREAKPOINTS_MAX = 8192, GDB_WATCHPOINTS_MAX = 64, GDB_REGISTERS_MAX = 128 };
enum { GDB_ALL_CPUS = -1 };

/* Error replies. */
#define GDB_ERROR_PACKET "E01" /* malformed, or of something that there is not */
#define GDB_ERROR_MEMORY "E14" /* EFAULT: no RAM there */

struct gdb_stub;
struct gdb_names;

enum gdb_watch_kind {
    GDB_WATCH_WRITE = '2',
    GDB_WATCH_READ = '3',
    GDB_WATCH_ACCESS = '4'
}; /* digits of the Z and z packets */

struct gdb_breakpoint {
    vaddr address;
    uint8_t kinds; /* bit 0: set by Z0, bit 1: by Z1 */
};

struct gdb_watchpoint {
    struct gdb_stub *stub; /* NULL: unused slot */
    char kind;             /* enum gdb_watch_kind */
    vaddr first, last;
};

struct gdb_stub {
    struct machine *machine;
    struct gdb_connection connection;
    struct machine_limits limits;
    enum machine_stop (*run)(void *opaque, const struct machine_limits *limits); /* NULL: save_request_run() */
    void *run_opaque;
    const struct annotated_interpreter *interpreter;
    const char *folder;   /* where the debugger may save checkpoints; NULL: not allowed */
    unsigned general_cpu; /* CPU of g, G, m, M ... (selected with Hg) */
    int continue_cpu;     /* CPU of c, s, C, S (selected with Hc); GDB_ALL_CPUS */
    unsigned stopped_cpu;
    char stop_reply[64]; /* the last one */
    unsigned breakpoint_count, breakpoint_room, watchpoint_count;
    struct gdb_breakpoint *breakpoints;
    struct gdb_watchpoint watchpoints[GDB_WATCHPOINTS_MAX];
    const struct gdb_watchpoint *accessed; /* watchpoint that stopped the run; NULL: none */
    vaddr accessed_at;
    bool shows_saved;        /* stopped_cpu's registers are shown as in BEFORE (gdb_watch.c) */
    struct cpu before;       /* state before the access */
    struct gdb_names *names; /* names of processes and user code; NULL: not created yet */
    bool finished;           /* leave the loop with `reason` */
    bool expects_end;        /* the run has ended, and the debugger waits to be told the exit status */
    enum machine_stop reason;
    struct history *history; /* NULL: the past is not kept */
    bool in_past;            /* this process is one of the past (gdb_past.c) */
    FILE *captured;          /* there: what would be sent; NULL: it is sent */
    unsigned captured_count; /* ... packets of it */
    char packet[GDB_PACKET_MAX];
    char reply[GDB_PACKET_MAX];
};

/* Parsing: *TEXT is what follows. False if *TEXT is malformed. */
/* A hexadecimal number of 1 to 16 digits. */
bool gdb_parse_number(const char **text, uint64_t *value);
/* An address: 32 bits, or 64 bits that extend the sign of the lower 32. */
bool gdb_parse_address(const char **text, vaddr *address);
/* "ADDRESS,LENGTH". */
bool gdb_parse_range(const char **text, vaddr *address, uint32_t *size);
/* A thread: *CPU is GDB_ALL_CPUS for -1, and the CPU that stopped for 0, any. False also if there is no such CPU. */
bool gdb_parse_thread(const struct gdb_stub *stub, const char **text, int *cpu);

/* Send TEXT as a packet. Finishes the session if the connection has ended. */
void gdb_send(struct gdb_stub *stub, const char *text);
/* End the session with REASON. */
void gdb_finish(struct gdb_stub *stub, enum machine_stop reason);

/* The packets: REST is what follows the packet's name, up to END, where there is a NUL. */
typedef void gdb_packet_fn(struct gdb_stub *stub, const char *rest, const char *end);
gdb_packet_fn gdb_read_all_registers, gdb_write_all_registers, gdb_read_register, gdb_write_register;
gdb_packet_fn gdb_read_memory, gdb_write_memory, gdb_write_binary;
gdb_packet_fn gdb_insert_point, gdb_remove_point;
gdb_packet_fn gdb_last_stop, gdb_continue, gdb_continue_signal, gdb_step, gdb_step_signal, gdb_resume_threads;
gdb_packet_fn gdb_describe_features, gdb_describe_target, gdb_first_threads, gdb_more_threads, gdb_describe_thread;
gdb_packet_fn gdb_current_thread, gdb_is_thread_alive, gdb_select_thread, gdb_was_attached, gdb_no_symbols;
gdb_packet_fn gdb_resume_actions;

/* Append the registers to the target description in OUT. */
void gdb_registers_describe(const struct gdb_description *description, FILE *out);
/* CPU continues at ADDRESS. False if no instruction can be there. */
bool gdb_registers_set_pc(struct gdb_stub *stub, unsigned cpu, vaddr address);

/* gdb_stub.c: handle the packet TEXT, of LENGTH bytes and a NUL. */
void gdb_handle(struct gdb_stub *stub, const char *text, size_t length);

/* The past (gdb_past.c). Keep it, as OPTIONS say; false with ERR. */
bool gdb_past_begin(struct gdb_stub *stub, const struct history_options *options, struct err *err);
void gdb_past_end(struct gdb_stub *stub);
/* Let the process of the past handle PACKET, and send what it replies. */
void gdb_past_pass_on(struct gdb_stub *stub, const char *packet, size_t length);
/* In the process of the past: keep TEXT, a packet that would be sent. */
void gdb_past_capture(struct gdb_stub *stub, const char *text);
/* The packets bs and bc. */
gdb_packet_fn gdb_step_back, gdb_continue_back;
/* Print to OUT what accessed the word at ADDRESS last, and how far the past reaches. */
void gdb_past_last_access(struct gdb_stub *stub, enum find_kind kind, vaddr address, FILE *out);
void gdb_past_overview(const struct gdb_stub *stub, FILE *out);

/* Is there a breakpoint at ADDRESS? */
bool gdb_points_has(const struct gdb_stub *stub, vaddr address);
/* Set one there. */
void gdb_points_add(struct gdb_stub *stub, vaddr address);
void gdb_points_remove_all(struct gdb_stub *stub);

/* Set the stop reply of STUB->stopped_cpu, which becomes the selected CPU, and send it. */
void gdb_send_stop(struct gdb_stub *stub, unsigned signal_number);
/* The same of GDB_SIGNAL_TRAP, with a REASON such as "watch:80001234;". */
void gdb_send_stop_reason(struct gdb_stub *stub, const char *reason);
/* Set it only. */
void gdb_note_stop(struct gdb_stub *stub, unsigned signal_number);
enum { GDB_SIGNAL_NONE = 0, GDB_SIGNAL_INT = 2, GDB_SIGNAL_TRAP = 5 };

/* Insert or remove the watchpoint of KIND at the range FIRST to LAST. Returns false if the table is full. */
bool gdb_watch_change(struct gdb_stub *stub, char kind, vaddr first, vaddr last, bool insert);
/* Remove all watchpoints. */
void gdb_watch_remove_all(struct gdb_stub *stub);
/* The part of a stop reply that names the watchpoint which stopped the run, "watch:80001234;"; empty if none did. */
void gdb_watch_reason(struct gdb_stub *stub, char *text, size_t size);
enum { GDB_WATCH_REASON_SIZE = 32 };
/* The same, of an access to ADDRESS that POINT watches. */
void gdb_watch_name(const struct gdb_watchpoint *point, vaddr address, char *text, size_t size);
/* The registers of CPU as shown to the debugger. */
const struct cpu *gdb_watch_registers(const struct gdb_stub *stub, unsigned cpu);
/* Show the real registers again. True if those before the access were shown: then the CPU has in effect made a step. */
bool gdb_watch_show_current(struct gdb_stub *stub);

/* qRcmd: execute the monitor command that is encoded in hexadecimal. */
gdb_packet_fn gdb_monitor;
void gdb_monitor_end(struct gdb_stub *stub);

#endif
