/*
 * The past under a debugger: the packets bs and bc (reverse execution), and all others while one looks at the past.
 *
 * The process of the present has the connection, the breakpoints and the watchpoints. A packet whose reply depends on
 * the machine's state is passed on to the process of the past (src/history/history.h), whose stub handles it with a
 * copy of these, and returns what it would have sent.
 *
 * gdb expects of a MIPS that it stops before a watched access, and steps it over the instruction. Backwards this means:
 * behind the instruction, and gdb steps it back.
 */
#include "src/gdb/gdb_state.h"
#include "cpu/segments.h"
#include "src/machine/machine_text.h"
#include "src/machine/save_request.h"
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* What is passed on, before the breakpoints and the packet. */
struct question {
    unsigned general_cpu, stopped_cpu;
    int continue_cpu;
    unsigned breakpoints, watchpoints; /* how many follow */
    uint32_t length;                   /* of the packet */
};

struct passed_watchpoint {
    char kind;
    vaddr first, last;
};

/* The reply, before the packets: each has its length before it, and a NUL behind it. */
struct reply {
    unsigned general_cpu, stopped_cpu;
    uint32_t packets;
};

/* In the process of the past */

static void enter(void *opaque)
{
    struct gdb_stub *stub = opaque;
    stub->in_past = true;
    stub->connection.fd = -1;
    stub->connection.listener = NULL;
    gdb_points_remove_all(stub);
    stub->shows_saved = false;
    stub->accessed = NULL;
}

static enum machine_stop run(void *opaque, const struct machine_limits *limits)
{
    return save_request_run(((struct gdb_stub *)opaque)->machine, limits);
}

static void set_points(struct gdb_stub *stub, const struct question *question, const char *at)
{
    gdb_points_remove_all(stub);
    for (unsigned i = 0; i < question->breakpoints; i++, at += sizeof(vaddr)) {
        vaddr address;
        memcpy(&address, at, sizeof address);
        gdb_points_add(stub, address);
    }
    for (unsigned i = 0; i < question->watchpoints; i++, at += sizeof(struct passed_watchpoint)) {
        struct passed_watchpoint point;
        memcpy(&point, at, sizeof point);
        gdb_watch_change(stub, point.kind, point.first, point.last, true);
    }
}

void gdb_past_capture(struct gdb_stub *stub, const char *text)
{
    const uint32_t length = (uint32_t)strlen(text);
    fwrite(&length, sizeof length, 1, stub->captured);
    fwrite(text, 1, length + 1, stub->captured);
    stub->captured_count++;
}

static void answer(void *opaque, const char *bytes, size_t size, FILE *out)
{
    struct gdb_stub *stub = opaque;
    struct question question;
    char *packets = NULL;
    size_t length;
    (void)size;
    memcpy(&question, bytes, sizeof question);
    bytes += sizeof question;
    stub->general_cpu = question.general_cpu;
    stub->stopped_cpu = question.stopped_cpu;
    stub->continue_cpu = question.continue_cpu;
    if (!stub->shows_saved) /* a watched access is shown until the CPU is resumed */
        set_points(stub, &question, bytes);
    bytes += question.breakpoints * sizeof(vaddr) + question.watchpoints * sizeof(struct passed_watchpoint);
    stub->captured = checked_memory(open_memstream(&packets, &length));
    stub->captured_count = 0;
    stub->finished = stub->expects_end = false;
    gdb_handle(stub, bytes, question.length);
    fclose(stub->captured);
    stub->captured = NULL;
    const struct reply reply = {stub->general_cpu, stub->stopped_cpu, stub->captured_count};
    fwrite(&reply, sizeof reply, 1, out);
    fwrite(packets, 1, length, out);
    free(packets);
}

/* In the process of the present */

static bool is_ending(void *opaque)
{
    struct gdb_stub *stub = opaque;
    return gdb_connection_break_pending(&stub->connection);
}

static int interrupt_fd(void *opaque)
{
    return ((struct gdb_stub *)opaque)->connection.fd;
}

bool gdb_past_begin(struct gdb_stub *stub, const struct history_options *options, struct err *err)
{
    const struct history_front front = {.opaque = stub,
                                        .enter = enter,
                                        .run = run,
                                        .answer = answer,
                                        .is_ending = is_ending,
                                        .interrupt_fd = interrupt_fd};
    stub->history = history_begin(stub->machine, options, &front, err);
    return stub->history != NULL;
}

void gdb_past_end(struct gdb_stub *stub)
{
    history_end(stub->history);
    stub->history = NULL;
}

/* The question for the LENGTH bytes of PACKET, to be freed. */
static char *question_of(const struct gdb_stub *stub, const char *packet, size_t length, size_t *size)
{
    char *bytes = NULL;
    FILE *out = checked_memory(open_memstream(&bytes, size));
    const struct question question = {.general_cpu = stub->general_cpu,
                                      .stopped_cpu = stub->stopped_cpu,
                                      .continue_cpu = stub->continue_cpu,
                                      .breakpoints = stub->breakpoint_count,
                                      .watchpoints = stub->watchpoint_count,
                                      .length = (uint32_t)length};
    fwrite(&question, sizeof question, 1, out);
    for (unsigned i = 0; i < stub->breakpoint_count; i++)
        fwrite(&stub->breakpoints[i].address, sizeof(vaddr), 1, out);
    for (unsigned i = 0; i < GDB_WATCHPOINTS_MAX; i++) {
        const struct gdb_watchpoint *point = &stub->watchpoints[i];
        const struct passed_watchpoint passed = {point->kind, point->first, point->last};
        if (point->stub)
            fwrite(&passed, sizeof passed, 1, out);
    }
    fwrite(packet, 1, length, out);
    fclose(out);
    return bytes;
}

/* Send the packets of the reply BYTES. The last stop reply is kept. */
static void send_reply(struct gdb_stub *stub, const char *bytes, size_t size)
{
    struct reply reply;
    if (size < sizeof reply) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    memcpy(&reply, bytes, sizeof reply);
    bytes += sizeof reply;
    stub->general_cpu = reply.general_cpu;
    stub->stopped_cpu = reply.stopped_cpu;
    for (uint32_t i = 0; i < reply.packets && !stub->finished; i++) {
        uint32_t length;
        memcpy(&length, bytes, sizeof length);
        bytes += sizeof length;
        if (*bytes == 'T')
            snprintf(stub->stop_reply, sizeof stub->stop_reply, "%s", bytes);
        gdb_send(stub, bytes);
        bytes += length + 1;
    }
}

/* Tell the debugger that there is no more past in that direction: "begin" or "end". */
static void send_edge(struct gdb_stub *stub, const char *edge)
{
    char reason[32];
    snprintf(reason, sizeof reason, "replaylog:%s;", edge);
    gdb_send_stop_reason(stub, reason);
}

void gdb_past_pass_on(struct gdb_stub *stub, const char *packet, size_t length)
{
    struct err err = {""};
    char *bytes = NULL;
    size_t size, asked;
    char *question = question_of(stub, packet, length, &asked);
    const enum history_outcome outcome = history_ask(stub->history, question, asked, &bytes, &size, &err);
    free(question);
    if (outcome == HISTORY_STAYED)
        send_reply(stub, bytes, size);
    else if (outcome == HISTORY_CHANGE)
        gdb_send_stop(stub, GDB_SIGNAL_TRAP);
    else if (outcome == HISTORY_PRESENT)
        send_edge(stub, "end");
    else if (*packet == 'c' || *packet == 's' || *packet == 'v') /* it waits for a stop, not for an error */
        gdb_send_stop(stub, GDB_SIGNAL_INT);
    else
        gdb_send(stub, GDB_ERROR_PACKET);
    free(bytes);
}

/* Going back */

static bool go(struct gdb_stub *stub, enum history_unit unit, unsigned cpu, uint64_t value)
{
    struct err err = {""};
    const struct history_target target = {unit, cpu, value};
    if (history_go(stub->history, &target, &err))
        return true;
    fprintf(stderr, "simos: gdb: %s\n", err.text);
    return false;
}

static void go_to_first(struct gdb_stub *stub)
{
    stub->stopped_cpu = 0; /* the others may be off */
    if (go(stub, HISTORY_INSNS, 0, history_first(stub->history).insns))
        send_edge(stub, "begin");
    else
        gdb_send_stop(stub, GDB_SIGNAL_INT);
}

static unsigned cpu_to_resume(const struct gdb_stub *stub)
{
    return stub->continue_cpu == GDB_ALL_CPUS ? stub->stopped_cpu : (unsigned)stub->continue_cpu;
}

/* In the present, the access that a watchpoint has stopped at has been made, and the debugger does not know. */
static void forget_access(struct gdb_stub *stub)
{
    if (!history_is_past(stub->history))
        gdb_watch_show_current(stub);
}

void gdb_step_back(struct gdb_stub *stub, const char *rest, const char *end)
{
    const unsigned cpu = cpu_to_resume(stub);
    (void)rest, (void)end;
    if (!stub->history) {
        gdb_send(stub, "");
        return;
    }
    forget_access(stub);
    const uint64_t insns = history_cpu_insns(stub->history, cpu);
    stub->stopped_cpu = cpu;
    if (insns <= history_first_cpu_insns(stub->history, cpu))
        go_to_first(stub);
    else if (go(stub, HISTORY_CPU_INSNS, cpu, insns - 1))
        gdb_send_stop(stub, GDB_SIGNAL_TRAP);
    else
        gdb_send_stop(stub, GDB_SIGNAL_INT);
}

static void add_range(struct find_request *request, enum find_kind kind, bool by_virtual, uint32_t first, uint32_t last)
{
    if (request->count < FIND_POINTS_MAX)
        request->points[request->count++] = (struct find_point){kind, by_virtual, first, last};
}

/* Add accesses to the addresses FIRST to LAST, which are in one segment. In kseg0 and kseg1 they mean the memory,
 * however it is accessed. */
static void add_accesses(struct find_request *request, enum find_kind kind, vaddr first, vaddr last)
{
    if (first >= KSEG0_BASE && last < KSEG2_BASE)
        add_range(request, kind, false, vaddr_physical(first), vaddr_physical(last));
    else
        add_range(request, kind, true, first, last);
}

static void add_watchpoint(struct find_request *request, const struct gdb_watchpoint *point)
{
    const enum find_kind kind = point->kind == GDB_WATCH_WRITE  ? FIND_STORE
                                : point->kind == GDB_WATCH_READ ? FIND_LOAD
                                                                : FIND_ACCESS;
    add_accesses(request, kind, point->first, point->last);
}

static const struct gdb_watchpoint *watchpoint_at(const struct gdb_stub *stub, unsigned number)
{
    for (unsigned i = 0; i < GDB_WATCHPOINTS_MAX; i++)
        if (stub->watchpoints[i].stub && number-- == 0)
            return &stub->watchpoints[i];
    return NULL;
}

/* Go to what EVENT is: before an instruction with a breakpoint, or behind a watched access. */
static void go_to_event(struct gdb_stub *stub, const struct find_event *event, unsigned breakpoints)
{
    const struct gdb_watchpoint *point =
        event->point < breakpoints ? NULL : watchpoint_at(stub, event->point - breakpoints);
    if (!event->by_device)
        stub->stopped_cpu = event->cpu;
    if (!go(stub, HISTORY_INSNS, 0, event->insns + (point && !event->by_device))) {
        gdb_send_stop(stub, GDB_SIGNAL_INT);
        return;
    }
    if (!point) {
        gdb_send_stop(stub, GDB_SIGNAL_TRAP);
        return;
    }
    const vaddr at = event->address > point->first && event->address <= point->last ? event->address : point->first;
    char reason[GDB_WATCH_REASON_SIZE];
    gdb_watch_name(point, at, reason, sizeof reason);
    gdb_send_stop_reason(stub, reason);
}

void gdb_continue_back(struct gdb_stub *stub, const char *rest, const char *end)
{
    struct err err = {""};
    struct find_event event;
    bool found = false;
    (void)rest, (void)end;
    if (!stub->history) {
        gdb_send(stub, "");
        return;
    }
    forget_access(stub);
    struct find_request *request = checked_memory(calloc(1, sizeof *request));
    request->cpu = FIND_ANY_CPU;
    for (unsigned i = 0; i < stub->breakpoint_count; i++)
        add_range(request, FIND_EXEC, true, stub->breakpoints[i].address, stub->breakpoints[i].address);
    const unsigned breakpoints = request->count;
    for (unsigned i = 0; i < stub->watchpoint_count; i++)
        add_watchpoint(request, watchpoint_at(stub, i));
    const bool done =
        request->count == 0 || history_find(stub->history, request, history_place(stub->history), &found, &event, &err);
    free(request);
    if (!done)
        gdb_send_stop(stub, GDB_SIGNAL_INT);
    else if (found)
        go_to_event(stub, &event, breakpoints);
    else
        go_to_first(stub);
}

/* Questions */

/* What `monitor where` says of the instant of EVENT. */
static void print_place(struct gdb_stub *stub, const struct find_event *event, FILE *out)
{
    static const char packet[] = "qRcmd,7768657265"; /* where */
    struct err err = {""};
    char *bytes = NULL, text[4096];
    size_t size = 0, asked;
    struct reply reply;
    uint32_t length;
    const struct history_target target = {.unit = HISTORY_INSNS, .value = event->insns};
    const unsigned selected = stub->general_cpu;
    stub->general_cpu = event->cpu;
    char *question = question_of(stub, packet, sizeof packet - 1, &asked);
    stub->general_cpu = selected;
    const bool done = history_peek(stub->history, &target, question, asked, &bytes, &size, &err);
    free(question);
    if (!done)
        fprintf(out, "%s\n", err.text);
    const char *at = bytes + sizeof reply;
    for (memcpy(&reply, bytes ? bytes : (const char *)&(struct reply){0}, sizeof reply); done && reply.packets > 0;
         reply.packets--) {
        memcpy(&length, at, sizeof length);
        at += sizeof length;
        if (*at == 'O' && at[1] != 'K' && length / 2 < sizeof text && gdb_hex_get(at + 1, text, (length - 1) / 2))
            fwrite(text, 1, (length - 1) / 2, out);
        at += length + 1;
    }
    free(bytes);
}

static void print_event(struct gdb_stub *stub, const struct find_event *event, FILE *out)
{
    fprintf(out, "insn %llu, %.9f s: ", (unsigned long long)event->insns,
            (double)event->time / (double)stub->machine->queue->clock_hz);
    if (event->by_device) {
        fprintf(out, "a device\n");
        return;
    }
    fprintf(out, "CPU %u %s 0x%08x, %u bytes, 0x%0*llx\n", event->cpu, event->user ? "user" : "kernel", event->pc,
            event->size, (int)event->size * 2, (unsigned long long)event->value);
    print_place(stub, event, out);
}

void gdb_past_last_access(struct gdb_stub *stub, enum find_kind kind, vaddr address, FILE *out)
{
    enum { WORD = 4 };
    struct err err = {""};
    struct find_event event;
    bool found;
    if (!stub->history) {
        fprintf(out, "the past is not kept: start simos with --history\n");
        return;
    }
    struct find_request *request = checked_memory(calloc(1, sizeof *request));
    request->cpu = FIND_ANY_CPU;
    add_accesses(request, kind, address, address + WORD - 1);
    if (!history_find(stub->history, request, history_place(stub->history), &found, &event, &err))
        fprintf(out, "%s\n", err.text);
    else if (!found)
        fprintf(out, "none, as far as the past reaches\n");
    else
        print_event(stub, &event, out);
    free(request);
}

void gdb_past_overview(const struct gdb_stub *stub, FILE *out)
{
    if (!stub->history) {
        fprintf(out, "the past is not kept: start simos with --history\n");
        return;
    }
    const struct history_counts counts = history_counts(stub->history);
    fprintf(
        out, "instruction %llu%s; the past begins at %llu, the present is at %llu; %u snapshots, of %llu MB at most\n",
        (unsigned long long)history_place(stub->history).insns, history_is_past(stub->history) ? "" : ", the present",
        (unsigned long long)history_first(stub->history).insns,
        (unsigned long long)history_present(stub->history).insns, counts.snapshots,
        (unsigned long long)(counts.bytes >> 20));
}
