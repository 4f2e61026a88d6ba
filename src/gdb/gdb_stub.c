#include "src/gdb/gdb_stub.h"

#include "src/gdb/gdb_state.h"
#include "src/machine/machine_text.h"
#include "src/machine/save_request.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Register numbers of the target description. */
enum {
    REG_STATUS = 32,
    REG_LO = 33,
    REG_HI = 34,
    REG_BADVADDR = 35,
    REG_CAUSE = 36,
    REG_PC = 37,
    REG_F0 = 38,
    REG_FCSR = 70,
    REG_FIR = 71,
    REG_COUNT = 72,
};

enum {
    SLICE_CYCLES = 4 << 20, /* interval between polls for a break from the debugger */
    SIGNAL_INT = 2,
    SIGNAL_TRAP = 5,
    READ_MAX = 4096, /* bytes of memory per reply; the debugger requests the rest separately */
};

/* Registers */

static uint32_t *register_of(struct cpu *s, unsigned number)
{
    if (number < 32)
        return &s->gpr[number];
    if (number >= REG_F0 && number < REG_F0 + 32)
        return &s->fpr[number - REG_F0][0];
    switch (number) {
    case REG_STATUS: return &s->cp0[CP0_STATUS];
    case REG_LO: return &s->lo;
    case REG_HI: return &s->hi;
    case REG_BADVADDR: return &s->cp0[CP0_BADVADDR];
    case REG_CAUSE: return &s->cp0[CP0_CAUSE];
    case REG_PC: return &s->pc;
    case REG_FCSR: return &s->fcr31;
    default: return NULL;
    }
}

static uint32_t register_read(const struct cpu *s, unsigned number)
{
    const uint32_t *reg = register_of((struct cpu *)(uintptr_t)s, number);
    return reg ? *reg : 0;
}

/* Status and Cause are read-only: a value from the debugger could select a mode that no instruction can reach. */
static void register_write(struct core *core, unsigned number, uint32_t value)
{
    uint32_t *reg = register_of(&core->s, number);
    if (reg == NULL || number == 0 || number == REG_STATUS || number == REG_CAUSE)
        return;
    if (number == REG_PC) {
        if (value == *reg)
            return;
        core->s.in_delay_slot = false;
    }
    *reg = value;
    core_registers_changed(core);
}

void gdb_send(struct gdb_stub *stub, const char *text)
{
    if (!gdb_packet_send(&stub->connection, text)) {
        stub->finished = true;
        stub->reason = MACHINE_STOP_HOOK;
    }
}

static const struct cpu *general_registers(const struct gdb_stub *stub)
{
    return gdb_watch_registers(stub, stub->general_cpu);
}

/* A value equal to the shown one is not written, because the actual register may differ from it (gdb_watch.c). */
static void change_register(struct gdb_stub *stub, unsigned number, uint32_t value)
{
    if (value == register_read(general_registers(stub), number))
        return;
    gdb_watch_show_current(stub);
    register_write(stub->machine->cores[stub->general_cpu], number, value);
}

static void read_all_registers(struct gdb_stub *stub)
{
    char *out = stub->reply;
    for (unsigned i = 0; i < REG_COUNT; i++) {
        uint32_t value = register_read(general_registers(stub), i);
        out = gdb_hex_put(out, &value, sizeof value);
    }
    gdb_send(stub, stub->reply);
}

static void write_all_registers(struct gdb_stub *stub, const char *text)
{
    uint32_t values[REG_COUNT];
    if (strlen(text) < sizeof values * 2 || !gdb_hex_get(text, values, sizeof values)) {
        gdb_send(stub, "E01");
        return;
    }
    bool differs[REG_COUNT]; /* from the values shown at present, before any is written */
    for (unsigned i = 0; i < REG_COUNT; i++)
        differs[i] = values[i] != register_read(general_registers(stub), i);
    for (unsigned i = 0; i < REG_COUNT; i++)
        if (differs[i])
            change_register(stub, i, values[i]);
    gdb_send(stub, "OK");
}

static void read_register(struct gdb_stub *stub, const char *text)
{
    unsigned long number = strtoul(text, NULL, 16);
    if (number >= REG_COUNT) {
        gdb_send(stub, "E01");
        return;
    }
    uint32_t value = register_read(general_registers(stub), (unsigned)number);
    gdb_hex_put(stub->reply, &value, sizeof value);
    gdb_send(stub, stub->reply);
}

static void write_register(struct gdb_stub *stub, const char *text)
{
    char *end;
    uint32_t value;
    unsigned long number = strtoul(text, &end, 16);
    if (number >= REG_COUNT || *end != '=' || !gdb_hex_get(end + 1, &value, sizeof value)) {
        gdb_send(stub, "E01");
        return;
    }
    change_register(stub, (unsigned)number, value);
    gdb_send(stub, "OK");
}

/* Memory */

bool gdb_parse_range(const char *text, vaddr *address, uint32_t *size, const char **rest)
{
    char *end;
    *address = (vaddr)strtoul(text, &end, 16);
    if (*end != ',')
        return false;
    unsigned long length = strtoul(end + 1, &end, 16);
    *size = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    *rest = end;
    return true;
}

static void read_memory(struct gdb_stub *stub, const char *text)
{
    vaddr address;
    uint32_t size;
    const char *rest;
    uint8_t bytes[READ_MAX];
    if (!gdb_parse_range(text, &address, &size, &rest)) {
        gdb_send(stub, "E01");
        return;
    }
    if (size > READ_MAX)
        size = READ_MAX;
    uint32_t done = machine_debug_read(stub->machine, stub->general_cpu, address, bytes, size);
    if (done == 0 && size > 0) {
        gdb_send(stub, "E14");
        return;
    }
    gdb_hex_put(stub->reply, bytes, done);
    gdb_send(stub, stub->reply);
}

/* M and X: write the data of a packet that ends at END, binary or hexadecimal. Its length must match the header. */
static void write_memory(struct gdb_stub *stub, const char *text, const char *end, bool binary)
{
    vaddr address;
    uint32_t size;
    const char *data;
    uint8_t bytes[GDB_PACKET_MAX];
    if (!gdb_parse_range(text, &address, &size, &data) || *data++ != ':' ||
        (size_t)(end - data) != (size_t)size * (binary ? 1 : 2) || (!binary && !gdb_hex_get(data, bytes, size))) {
        gdb_send(stub, "E01");
        return;
    }
    bool done = machine_debug_write(stub->machine, stub->general_cpu, address, binary ? (const void *)data : bytes,
                                    size) == size;
    gdb_send(stub, done ? "OK" : "E14");
}

/* Breakpoints: a hook on every core. */

static bool breakpoint_hit(void *opaque, struct core *core)
{
    struct gdb_stub *stub = opaque;
    stub->stopped_cpu = core->number;
    return machine_stop_at_hook(stub->machine, core);
}

static unsigned find_breakpoint(const struct gdb_stub *stub, vaddr address)
{
    unsigned i = 0;
    while (i < stub->breakpoint_count && stub->breakpoints[i] != address)
        i++;
    return i;
}

static bool insert_breakpoint(struct gdb_stub *stub, vaddr address)
{
    if (find_breakpoint(stub, address) < stub->breakpoint_count)
        return true;
    if (stub->breakpoint_count == GDB_BREAKPOINTS_MAX || (address & 3))
        return false;
    stub->breakpoints[stub->breakpoint_count++] = address;
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        core_hook_add(stub->machine->cores[i], address, breakpoint_hit, stub);
    return true;
}

static void remove_breakpoint(struct gdb_stub *stub, vaddr address)
{
    unsigned slot = find_breakpoint(stub, address);
    if (slot == stub->breakpoint_count)
        return;
    stub->breakpoints[slot] = stub->breakpoints[--stub->breakpoint_count];
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        core_hook_remove(stub->machine->cores[i], address, breakpoint_hit, stub);
}

/* Z and z packets: 0 and 1 are breakpoints, 2 to 4 watchpoints. */
static void change_point(struct gdb_stub *stub, const char *text, bool insert)
{
    bool done = true;
    if (text[0] < '0' || text[0] > '4' || text[1] != ',') {
        gdb_send(stub, "");
        return;
    }
    const vaddr address = (vaddr)strtoul(text + 2, NULL, 16);
    if (text[0] >= GDB_WATCH_WRITE)
        done = gdb_watch_change(stub, text[0], text + 2, insert);
    else if (insert)
        done = insert_breakpoint(stub, address);
    else
        remove_breakpoint(stub, address);
    gdb_send(stub, done ? "OK" : "E01");
}

/* Running */

static void send_stop(struct gdb_stub *stub, unsigned signal_number)
{
    char accessed[32];
    gdb_watch_reason(stub, accessed, sizeof accessed);
    snprintf(stub->reply, sizeof stub->reply, "T%02x%sthread:%x;", signal_number, accessed, stub->stopped_cpu + 1);
    stub->general_cpu = stub->step_cpu = stub->stopped_cpu;
    gdb_send(stub, stub->reply);
}

/* The run stopped for REASON: send a stop reply, or the exit of the guest. */
static void report(struct gdb_stub *stub, enum machine_stop reason)
{
    switch (reason) {
    case MACHINE_STOP_HOOK: send_stop(stub, SIGNAL_TRAP); return;
    case MACHINE_STOP_EXIT:
        snprintf(stub->reply, sizeof stub->reply, "W%02x", stub->machine->exit_status & 0xff);
        gdb_send(stub, stub->reply);
        break;
    default: gdb_send(stub, "W00"); break;
    }
    stub->finished = true;
    stub->reason = reason;
}

static void resume(struct gdb_stub *stub)
{
    struct machine *machine = stub->machine;
    if (gdb_watch_show_current(stub) &&
        find_breakpoint(stub, machine->cores[stub->stopped_cpu]->s.pc) < stub->breakpoint_count) {
        send_stop(stub, SIGNAL_TRAP); /* the step over the access ends at this breakpoint */
        return;
    }
    for (;;) {
        struct machine_limits slice = stub->limits;
        cycles now = machine_now(machine);
        if (slice.time > now + SLICE_CYCLES)
            slice.time = now + SLICE_CYCLES;
        enum machine_stop reason = save_request_run(machine, &slice);
        if (reason == MACHINE_STOP_TIME && slice.time < stub->limits.time) {
            if (!gdb_connection_break_pending(&stub->connection))
                continue;
            stub->stopped_cpu = stub->general_cpu;
            send_stop(stub, SIGNAL_INT);
            return;
        }
        report(stub, reason);
        return;
    }
}

static void step(struct gdb_stub *stub)
{
    const bool past = gdb_watch_show_current(stub) && stub->step_cpu == stub->stopped_cpu;
    if (past || !stub->machine->cores[stub->step_cpu]->s.running) { /* nothing to step; the session continues */
        stub->stopped_cpu = stub->step_cpu;
        send_stop(stub, SIGNAL_TRAP);
        return;
    }
    enum machine_stop reason = save_request_step(stub->machine, stub->step_cpu, 1);
    bool over = reason == MACHINE_STOP_EXIT || reason == MACHINE_STOP_REBOOT || reason == MACHINE_STOP_DEADLOCK ||
                reason == MACHINE_STOP_FAILED;
    if (reason != MACHINE_STOP_HOOK && !stub->accessed)
        stub->stopped_cpu = stub->step_cpu;
    report(stub, over ? reason : MACHINE_STOP_HOOK);
}

/* vCont;ACTION[:THREAD]...: if one thread is to step, step it; otherwise continue all. */
static void continue_threads(struct gdb_stub *stub, const char *text)
{
    const char *stepping = strstr(text, ";s");
    if (stepping == NULL) {
        resume(stub);
        return;
    }
    if (stepping[2] == ':') {
        unsigned long thread = strtoul(stepping + 3, NULL, 16);
        if (thread >= 1 && thread <= stub->machine->cpus)
            stub->step_cpu = (unsigned)thread - 1;
    }
    step(stub);
}

/* Queries */

static void describe_target(struct gdb_stub *stub, const char *range)
{
    char xml[8192];
    size_t n = 0;
#define ADD(...) (n += (size_t)snprintf(xml + n, sizeof xml - n, __VA_ARGS__))
    ADD("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target><architecture>mips:isa32r2"
        "</architecture><feature name=\"org.gnu.gdb.mips.cpu\">");
    for (int i = 0; i < 32; i++)
        ADD("<reg name=\"r%d\" bitsize=\"32\" regnum=\"%d\"/>", i, i);
    ADD("<reg name=\"lo\" bitsize=\"32\" regnum=\"33\"/><reg name=\"hi\" bitsize=\"32\" regnum=\"34\"/>"
        "<reg name=\"pc\" bitsize=\"32\" regnum=\"37\"/></feature><feature name=\"org.gnu.gdb.mips.cp0\">"
        "<reg name=\"status\" bitsize=\"32\" regnum=\"32\"/><reg name=\"badvaddr\" bitsize=\"32\" regnum=\"35\"/>"
        "<reg name=\"cause\" bitsize=\"32\" regnum=\"36\"/></feature><feature name=\"org.gnu.gdb.mips.fpu\">");
    for (int i = 0; i < 32; i++)
        ADD("<reg name=\"f%d\" bitsize=\"32\" type=\"ieee_single\" regnum=\"%d\"/>", i, REG_F0 + i);
    ADD("<reg name=\"fcsr\" bitsize=\"32\" group=\"float\" regnum=\"70\"/>"
        "<reg name=\"fir\" bitsize=\"32\" group=\"float\" regnum=\"71\"/></feature></target>");
#undef ADD
    vaddr offset;
    uint32_t size;
    const char *rest;
    if (!gdb_parse_range(range, &offset, &size, &rest)) {
        gdb_send(stub, "E01");
        return;
    }
    size_t left = offset < n ? n - offset : 0;
    size_t part = left < size ? left : size;
    snprintf(stub->reply, sizeof stub->reply, "%c%.*s", part < left ? 'm' : 'l', (int)part, left ? xml + offset : "");
    gdb_send(stub, stub->reply);
}

static void thread_information(struct gdb_stub *stub, const char *text)
{
    unsigned long thread = strtoul(text, NULL, 16);
    if (thread < 1 || thread > stub->machine->cpus) {
        gdb_send(stub, "E01");
        return;
    }
    const struct core *core = stub->machine->cores[thread - 1];
    char line[64];
    snprintf(line, sizeof line, "CPU %u %s", core->number, machine_text_mode(core));
    gdb_hex_put(stub->reply, line, strlen(line));
    gdb_send(stub, stub->reply);
}

static void list_threads(struct gdb_stub *stub)
{
    size_t n = 0;
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        n += (size_t)snprintf(stub->reply + n, sizeof stub->reply - n, "%c%x", i ? ',' : 'm', i + 1);
    gdb_send(stub, stub->reply);
}

static bool starts(const char *text, const char *prefix, const char **rest)
{
    size_t n = strlen(prefix);
    if (strncmp(text, prefix, n) != 0)
        return false;
    *rest = text + n;
    return true;
}

static void query(struct gdb_stub *stub, const char *text)
{
    const char *rest;
    if (starts(text, "qSupported", &rest)) {
        snprintf(stub->reply, sizeof stub->reply,
                 "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;vContSupported+;swbreak-", GDB_PACKET_MAX - 16);
        gdb_send(stub, stub->reply);
    } else if (starts(text, "qXfer:features:read:target.xml:", &rest))
        describe_target(stub, rest);
    else if (starts(text, "qfThreadInfo", &rest))
        list_threads(stub);
    else if (starts(text, "qsThreadInfo", &rest))
        gdb_send(stub, "l");
    else if (starts(text, "qThreadExtraInfo,", &rest))
        thread_information(stub, rest);
    else if (strcmp(text, "qC") == 0) {
        snprintf(stub->reply, sizeof stub->reply, "QC%x", stub->general_cpu + 1);
        gdb_send(stub, stub->reply);
    } else if (starts(text, "qAttached", &rest))
        gdb_send(stub, "1");
    else if (starts(text, "qRcmd,", &rest))
        gdb_monitor(stub, rest);
    else if (starts(text, "qSymbol", &rest))
        gdb_send(stub, "OK");
    else
        gdb_send(stub, "");
}

static void select_thread(struct gdb_stub *stub, const char *text)
{
    long thread = strtol(text + 1, NULL, 16);
    if (thread > (long)stub->machine->cpus || thread < -1) {
        gdb_send(stub, "E01");
        return;
    }
    if (thread > 0 && text[0] == 'g')
        stub->general_cpu = (unsigned)thread - 1;
    else if (thread > 0 && text[0] == 'c')
        stub->step_cpu = (unsigned)thread - 1;
    gdb_send(stub, "OK");
}

static void finish(struct gdb_stub *stub, enum machine_stop reason)
{
    stub->finished = true;
    stub->reason = reason;
}

static void handle(struct gdb_stub *stub, const char *text, size_t length)
{
    unsigned long thread;
    switch (text[0]) {
    case '?': send_stop(stub, SIGNAL_TRAP); break;
    case 'g': read_all_registers(stub); break;
    case 'G': write_all_registers(stub, text + 1); break;
    case 'p': read_register(stub, text + 1); break;
    case 'P': write_register(stub, text + 1); break;
    case 'm': read_memory(stub, text + 1); break;
    case 'M': write_memory(stub, text + 1, text + length, false); break;
    case 'X': write_memory(stub, text + 1, text + length, true); break;
    case 'Z': change_point(stub, text + 1, true); break;
    case 'z': change_point(stub, text + 1, false); break;
    case 'c': resume(stub); break;
    case 's': step(stub); break;
    case 'H': select_thread(stub, text + 1); break;
    case 'T':
        thread = strtoul(text + 1, NULL, 16);
        gdb_send(stub, thread >= 1 && thread <= stub->machine->cpus ? "OK" : "E01");
        break;
    case 'q': query(stub, text); break;
    case 'Q':
        if (strcmp(text, "QStartNoAckMode") == 0) {
            gdb_send(stub, "OK");
            stub->connection.no_ack = true;
        } else
            gdb_send(stub, "");
        break;
    case 'v':
        if (strcmp(text, "vCont?") == 0)
            gdb_send(stub, "vCont;c;C;s;S");
        else if (strncmp(text, "vCont;", 6) == 0)
            continue_threads(stub, text + 5);
        else
            gdb_send(stub, "");
        break;
    case 'D':
        gdb_send(stub, "OK");
        finish(stub, MACHINE_STOP_HOOK);
        break;
    case 'k': finish(stub, MACHINE_STOP_REQUEST); break;
    default: gdb_send(stub, ""); break;
    }
}

static void say_listening(unsigned port)
{
    fprintf(stderr, "simos: waiting for gdb on 127.0.0.1:%u\n", port);
}

bool gdb_stub_serve(struct machine *machine, const struct gdb_options *options, const struct machine_limits *limits,
                    enum machine_stop *reason, struct err *err)
{
    const char *folder = options->folder;
    struct stat there;
    if (folder && (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode)))
        return err_set(err, "--gdb: save=%.300s: no such folder", folder);
    struct gdb_stub *stub = calloc(1, sizeof *stub);
    if (stub == NULL)
        return err_set(err, "--gdb: out of memory");
    stub->machine = machine;
    stub->limits = *limits;
    stub->folder = folder;
    stub->interpreter = options->interpreter;
    if (!gdb_connection_accept(&stub->connection, options->port, say_listening, err)) {
        free(stub);
        return false;
    }
    while (!stub->finished) {
        size_t length;
        if (!gdb_packet_receive(&stub->connection, stub->packet, sizeof stub->packet, &length))
            finish(stub, MACHINE_STOP_HOOK);
        else if (length > 0)
            handle(stub, stub->packet, length);
        else
            stub->connection.interrupted = false; /* already stopped */
    }
    while (stub->breakpoint_count > 0)
        remove_breakpoint(stub, stub->breakpoints[0]);
    gdb_watch_remove_all(stub);
    gdb_monitor_end(stub);
    gdb_connection_close(&stub->connection);
    *reason = stub->reason;
    free(stub);
    return true;
}
