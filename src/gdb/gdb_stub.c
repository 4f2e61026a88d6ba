#include "src/gdb/gdb_stub.h"

#include "src/gdb/gdb_state.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

struct gdb_server {
    struct gdb_listener listener;
    unsigned port;
    struct gdb_stub stub;
};

void gdb_send(struct gdb_stub *stub, const char *text)
{
    if (stub->captured)
        gdb_past_capture(stub, text);
    else if (!gdb_packet_send(&stub->connection, text))
        gdb_finish(stub, stub->connection.ended ? MACHINE_STOP_REQUEST : MACHINE_STOP_HOOK);
}

void gdb_finish(struct gdb_stub *stub, enum machine_stop reason)
{
    stub->finished = true;
    stub->reason = reason;
}

/* Parsing */

bool gdb_parse_number(const char **text, uint64_t *value)
{
    enum { DIGITS = 16 };
    char digits[DIGITS + 1];
    int count = 0;
    while (count < DIGITS && isxdigit((unsigned char)(*text)[count])) {
        digits[count] = (*text)[count];
        count++;
    }
    digits[count] = '\0';
    if (count == 0 || isxdigit((unsigned char)(*text)[count]))
        return false;
    *text += count;
    *value = strtoull(digits, NULL, 16);
    return true;
}

bool gdb_parse_address(const char **text, vaddr *address)
{
    uint64_t value;
    if (!gdb_parse_number(text, &value))
        return false;
    *address = (vaddr)value;
    return value <= UINT32_MAX || value == (uint64_t)(int64_t)(int32_t)value;
}

bool gdb_parse_range(const char **text, vaddr *address, uint32_t *size)
{
    uint64_t length;
    if (!gdb_parse_address(text, address) || *(*text)++ != ',' || !gdb_parse_number(text, &length))
        return false;
    *size = (uint32_t)length;
    return length <= UINT32_MAX;
}

bool gdb_parse_thread(const struct gdb_stub *stub, const char **text, int *cpu)
{
    uint64_t thread;
    if (strncmp(*text, "-1", 2) == 0) {
        *text += 2;
        *cpu = GDB_ALL_CPUS;
        return true;
    }
    if (!gdb_parse_number(text, &thread) || thread > stub->machine->cpus)
        return false;
    *cpu = thread == 0 ? (int)stub->stopped_cpu : (int)thread - 1;
    return true;
}

/* Packets */

static void start_no_ack(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "OK");
    stub->connection.no_ack = true;
}

static void detach(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "OK");
    gdb_finish(stub, MACHINE_STOP_HOOK);
}

/* It has no reply. */
static void kill_guest(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_finish(stub, MACHINE_STOP_REQUEST);
}

/* What may follow the name of a packet. */
enum form { ALONE, ARGUMENTS, COLON_OR_ALONE };

/* Who handles a packet while the debugger looks at the past: the process of the past, this one, or nobody, as it would
 * change the machine. */
enum place { AT_PLACE, HERE, PRESENT };

/* The manual's names: "Packets" and "General Query Packets" in the appendix "Remote Protocol" of the GDB manual. A
 * packet that is not here is answered with the empty packet: it is not supported. */
static const struct packet {
    const char *name;
    enum form form;
    gdb_packet_fn *call;
    enum place place;
} packets[] = {
    {"?", ALONE, gdb_last_stop, HERE},
    {"bc", ALONE, gdb_continue_back, HERE},
    {"bs", ALONE, gdb_step_back, HERE},
    {"c", ARGUMENTS, gdb_continue, AT_PLACE},
    {"C", ARGUMENTS, gdb_continue_signal, AT_PLACE},
    {"D", ALONE, detach, HERE},
    {"g", ALONE, gdb_read_all_registers, AT_PLACE},
    {"G", ARGUMENTS, gdb_write_all_registers, PRESENT},
    {"H", ARGUMENTS, gdb_select_thread, HERE},
    {"k", ALONE, kill_guest, HERE},
    {"m", ARGUMENTS, gdb_read_memory, AT_PLACE},
    {"M", ARGUMENTS, gdb_write_memory, PRESENT},
    {"p", ARGUMENTS, gdb_read_register, AT_PLACE},
    {"P", ARGUMENTS, gdb_write_register, PRESENT},
    {"s", ARGUMENTS, gdb_step, AT_PLACE},
    {"S", ARGUMENTS, gdb_step_signal, AT_PLACE},
    {"T", ARGUMENTS, gdb_is_thread_alive, HERE},
    {"vCont?", ALONE, gdb_resume_actions, HERE},
    {"vCont", ARGUMENTS, gdb_resume_threads, AT_PLACE},
    {"X", ARGUMENTS, gdb_write_binary, PRESENT},
    {"z", ARGUMENTS, gdb_remove_point, HERE},
    {"Z", ARGUMENTS, gdb_insert_point, HERE},
    {"qAttached", COLON_OR_ALONE, gdb_was_attached, HERE},
    {"qC", ALONE, gdb_current_thread, HERE},
    {"qfThreadInfo", ALONE, gdb_first_threads, HERE},
    {"qsThreadInfo", ALONE, gdb_more_threads, HERE},
    {"qRcmd,", ARGUMENTS, gdb_monitor, HERE},
    {"qSupported", COLON_OR_ALONE, gdb_describe_features, HERE},
    {"qSymbol:", ARGUMENTS, gdb_no_symbols, HERE},
    {"qThreadExtraInfo,", ARGUMENTS, gdb_describe_thread, AT_PLACE},
    {"qXfer:features:read:", ARGUMENTS, gdb_describe_target, HERE},
    {"QStartNoAckMode", ALONE, start_no_ack, HERE},
};

static bool is_packet(const struct packet *packet, const char *text, const char *end)
{
    const size_t length = strlen(packet->name);
    if (strncmp(text, packet->name, length) != 0)
        return false;
    return packet->form == ARGUMENTS || text + length == end || (packet->form == COLON_OR_ALONE && text[length] == ':');
}

/* Handle PACKET, which changes the machine. */
static void change(struct gdb_stub *stub, const struct packet *packet, const char *text, size_t length)
{
    history_changed(stub->history);
    packet->call(stub, text + strlen(packet->name), text + length);
}

void gdb_handle(struct gdb_stub *stub, const char *text, size_t length)
{
    const struct packet *packet = packets, *last = packets + sizeof packets / sizeof packets[0];
    while (packet < last && !is_packet(packet, text, text + length))
        packet++;
    if (packet == last)
        gdb_send(stub, "");
    else if (strlen(text) != length && packet->call != gdb_write_binary)
        gdb_send(stub, GDB_ERROR_PACKET); /* only X has binary data */
    else if (packet->place == PRESENT && history_is_past(stub->history))
        gdb_send(stub, GDB_ERROR_PACKET);
    else if (packet->place == AT_PLACE && history_is_past(stub->history))
        gdb_past_pass_on(stub, text, length);
    else if (packet->place == PRESENT)
        change(stub, packet, text, length);
    else
        packet->call(stub, text + strlen(packet->name), text + length);
}

/* Sessions */

struct gdb_server *gdb_server_create(struct machine *machine, const struct gdb_options *options,
                                     const struct machine_limits *limits, struct err *err)
{
    struct stat there;
    if (options->folder && (stat(options->folder, &there) != 0 || !S_ISDIR(there.st_mode))) {
        err_set(err, "--gdb: save=%.300s: no such folder", options->folder);
        return NULL;
    }
    struct gdb_server *server = checked_memory(calloc(1, sizeof *server));
    server->listener = (struct gdb_listener){
        .fd = -1, .interrupt_fd = options->interrupt_fd, .is_ending = options->is_ending, .opaque = options->opaque};
    if (!gdb_listener_open(&server->listener, options->port, &server->port, err)) {
        free(server);
        return NULL;
    }
    struct gdb_stub *stub = &server->stub;
    stub->machine = machine;
    stub->limits = *limits;
    stub->run = options->run;
    stub->run_opaque = options->opaque;
    stub->folder = options->folder;
    stub->interpreter = options->interpreter;
    stub->connection.fd = -1;
    if (options->history && !gdb_past_begin(stub, options->history, err)) {
        gdb_listener_close(&server->listener);
        free(server);
        return NULL;
    }
    fprintf(stderr, "simos: waiting for gdb on 127.0.0.1:%u\n", server->port);
    return server;
}

unsigned gdb_server_port(const struct gdb_server *server)
{
    return server->port;
}

/* Until the session has finished. */
static void serve(struct gdb_stub *stub)
{
    while (!stub->finished) {
        size_t length;
        if (!gdb_packet_receive(&stub->connection, stub->packet, sizeof stub->packet, &length))
            gdb_finish(stub, stub->connection.ended ? MACHINE_STOP_REQUEST : MACHINE_STOP_HOOK);
        else if (stub->connection.interrupted)
            stub->connection.interrupted = false; /* already stopped */
        else
            gdb_handle(stub, stub->packet, length);
    }
}

enum machine_stop gdb_server_serve(struct gdb_server *server)
{
    struct gdb_stub *stub = &server->stub;
    const int fd = gdb_listener_accept(&server->listener);
    if (fd < 0)
        return MACHINE_STOP_REQUEST;
    stub->connection = (struct gdb_connection){.fd = fd, .listener = &server->listener};
    stub->finished = stub->shows_saved = false;
    stub->accessed = NULL;
    stub->stopped_cpu = 0;
    stub->continue_cpu = GDB_ALL_CPUS;
    gdb_note_stop(stub, GDB_SIGNAL_TRAP);
    serve(stub);
    if (stub->history)
        history_return(stub->history);
    gdb_points_remove_all(stub);
    gdb_monitor_end(stub);
    if (!stub->expects_end)
        gdb_connection_close(&stub->connection);
    return stub->reason;
}

void gdb_server_end_past(struct gdb_server *server)
{
    gdb_past_end(&server->stub);
}

bool gdb_server_has_caller(const struct gdb_server *server)
{
    return gdb_listener_has_caller(&server->listener);
}

void gdb_server_end(struct gdb_server *server, int status)
{
    char reply[8];
    if (!server)
        return;
    struct gdb_stub *stub = &server->stub;
    if (stub->expects_end) {
        snprintf(reply, sizeof reply, "W%02x", (unsigned)status & 0xff);
        /* whoever does not acknowledge it must not keep the simulator waiting */
        const struct timeval timeout = {.tv_sec = 2};
        stub->connection.listener = NULL;
        setsockopt(stub->connection.fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        setsockopt(stub->connection.fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
        gdb_packet_send(&stub->connection, reply);
    }
    gdb_connection_close(&stub->connection);
    gdb_listener_close(&server->listener);
    free(server);
}
