/*
 * Running: the packets c, s, C, S and vCont, and stop replies.
 *
 * A CPU that is not resumed is held (src/machine/machine_hold.h), unless the past is kept: that a CPU has waited for
 * the debugger is not among the input of the machine, so that the past would be another one. A guest has no signals of
 * the host, so C and S do what c and s do.
 */
#include "src/gdb/gdb_state.h"
#include "src/machine/machine_hold.h"
#include "src/machine/save_request.h"

/* Stop replies */

static void note_reason(struct gdb_stub *stub, unsigned signal_number, const char *reason)
{
    snprintf(stub->stop_reply, sizeof stub->stop_reply, "T%02x%sthread:%x;", signal_number, reason,
             stub->stopped_cpu + 1);
    stub->general_cpu = stub->stopped_cpu;
}

void gdb_note_stop(struct gdb_stub *stub, unsigned signal_number)
{
    char reason[GDB_WATCH_REASON_SIZE];
    gdb_watch_reason(stub, reason, sizeof reason);
    note_reason(stub, signal_number, reason);
}

void gdb_send_stop(struct gdb_stub *stub, unsigned signal_number)
{
    gdb_note_stop(stub, signal_number);
    gdb_send(stub, stub->stop_reply);
}

void gdb_send_stop_reason(struct gdb_stub *stub, const char *reason)
{
    note_reason(stub, GDB_SIGNAL_TRAP, reason);
    gdb_send(stub, stub->stop_reply);
}

void gdb_last_stop(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, stub->stop_reply);
}

/* Running */

static unsigned first_resumed(const struct gdb_stub *stub, const enum machine_action *actions)
{
    unsigned cpu = stub->stopped_cpu;
    if (actions[cpu] == MACHINE_CPU_HELD)
        for (cpu = 0; actions[cpu] == MACHINE_CPU_HELD; cpu++)
            ;
    return cpu;
}

/* The run has stopped for REASON: a stop reply, or the end of the session, where the debugger is told the exit status
 * when it is known (gdb_server_end). */
static void report(struct gdb_stub *stub, const enum machine_action *actions, enum machine_stop reason)
{
    switch (reason) {
    case MACHINE_STOP_HOOK: gdb_send_stop(stub, GDB_SIGNAL_TRAP); return;
    case MACHINE_STOP_STEP:
        stub->stopped_cpu = stub->machine->stopped_cpu;
        gdb_send_stop(stub, GDB_SIGNAL_TRAP);
        return;
    case MACHINE_STOP_HELD:
        stub->stopped_cpu = first_resumed(stub, actions);
        gdb_send_stop(stub, GDB_SIGNAL_NONE);
        return;
    default:
        stub->expects_end = true;
        gdb_finish(stub, reason);
        return;
    }
}

/* Run in slices, so that a break is seen. True: a break has arrived, and the guest has stopped. */
static bool run_slices(struct gdb_stub *stub, enum machine_stop *reason)
{
    struct machine *machine = stub->machine;
    for (;;) {
        struct machine_limits slice = stub->limits;
        const cycles now = machine_now(machine);
        if (slice.time > now + GDB_SLICE_CYCLES && !machine_cannot_wake(machine)) /* else the run ends */
            slice.time = now + GDB_SLICE_CYCLES;
        *reason = stub->run && !stub->in_past ? stub->run(stub->run_opaque, &slice) : save_request_run(machine, &slice);
        if (*reason != MACHINE_STOP_TIME || slice.time == stub->limits.time)
            return false;
        if (!stub->in_past && gdb_connection_break_pending(&stub->connection))
            return true;
    }
}

/* Each CPU does its ACTIONS, of which one at least is not MACHINE_CPU_HELD. */
static void run(struct gdb_stub *stub, const enum machine_action *actions)
{
    const unsigned cpu = stub->stopped_cpu;
    enum machine_stop reason;
    enum machine_action all[BOARD_MAX_CPUS];
    for (unsigned i = 0; stub->history && i < stub->machine->cpus; i++)
        all[i] = actions[i] == MACHINE_CPU_HELD ? MACHINE_CPU_RUNS : actions[i];
    if (stub->history)
        actions = all;
    /* the step over a watched access has been made already (gdb_watch.c) */
    if (actions[cpu] != MACHINE_CPU_HELD && gdb_watch_show_current(stub) &&
        (actions[cpu] == MACHINE_CPU_STEPS || gdb_points_has(stub, stub->machine->cores[cpu]->s.pc))) {
        gdb_send_stop(stub, GDB_SIGNAL_TRAP);
        return;
    }
    machine_hold_begin(stub->machine, actions);
    const bool broken = run_slices(stub, &reason);
    machine_hold_end(stub->machine);
    if (broken) {
        stub->stopped_cpu = first_resumed(stub, actions);
        gdb_send_stop(stub, GDB_SIGNAL_INT);
    } else
        report(stub, actions, reason);
}

/* The packets c, s, C and S, for the CPU selected with Hc: "[ADDRESS]" in REST. Without a selection the CPU that
 * stopped makes the step, and the others run. */
static void run_selected(struct gdb_stub *stub, const char *rest, const char *end, enum machine_action action)
{
    enum machine_action actions[BOARD_MAX_CPUS] = {MACHINE_CPU_HELD};
    const bool all = stub->continue_cpu == GDB_ALL_CPUS;
    const unsigned cpu = all ? stub->stopped_cpu : (unsigned)stub->continue_cpu;
    vaddr address;
    if (rest != end &&
        (!gdb_parse_address(&rest, &address) || rest != end || !gdb_registers_set_pc(stub, cpu, address))) {
        gdb_send(stub, GDB_ERROR_PACKET);
        return;
    }
    for (unsigned i = 0; i < stub->machine->cpus; i++)
        actions[i] = i == cpu ? action : all ? MACHINE_CPU_RUNS : MACHINE_CPU_HELD;
    run(stub, actions);
}

void gdb_continue(struct gdb_stub *stub, const char *rest, const char *end)
{
    run_selected(stub, rest, end, MACHINE_CPU_RUNS);
}

void gdb_step(struct gdb_stub *stub, const char *rest, const char *end)
{
    run_selected(stub, rest, end, MACHINE_CPU_STEPS);
}

/* "SIGNAL[;ADDRESS]" */
static void run_with_signal(struct gdb_stub *stub, const char *rest, const char *end, enum machine_action action)
{
    uint64_t number;
    if (!gdb_parse_number(&rest, &number) || number > 0xff || (rest != end && (*rest++ != ';' || rest == end)))
        gdb_send(stub, GDB_ERROR_PACKET);
    else
        run_selected(stub, rest, end, action);
}

void gdb_continue_signal(struct gdb_stub *stub, const char *rest, const char *end)
{
    run_with_signal(stub, rest, end, MACHINE_CPU_RUNS);
}

void gdb_step_signal(struct gdb_stub *stub, const char *rest, const char *end)
{
    run_with_signal(stub, rest, end, MACHINE_CPU_STEPS);
}

/* vCont */

void gdb_resume_actions(struct gdb_stub *stub, const char *rest, const char *end)
{
    (void)rest, (void)end;
    gdb_send(stub, "vCont;c;C;s;S");
}

/* One action, "c", "s", "Csignal" or "Ssignal". False if it is none of these. */
static bool parse_action(const char **text, enum machine_action *action)
{
    const char letter = *(*text)++;
    uint64_t number;
    if (letter != 'c' && letter != 'C' && letter != 's' && letter != 'S')
        return false;
    *action = letter == 's' || letter == 'S' ? MACHINE_CPU_STEPS : MACHINE_CPU_RUNS;
    return letter == 'c' || letter == 's' || (gdb_parse_number(text, &number) && number <= 0xff);
}

/* ";ACTION[:THREAD]...": each thread does the first action that names it, or names none; a thread without an action is
 * not resumed. */
static bool parse_actions(const struct gdb_stub *stub, const char *rest, const char *end, enum machine_action *actions)
{
    bool any = false, has[BOARD_MAX_CPUS] = {false};
    while (rest != end) {
        enum machine_action action;
        int cpu = GDB_ALL_CPUS;
        if (*rest++ != ';' || !parse_action(&rest, &action))
            return false;
        if (*rest == ':' && (rest++, !gdb_parse_thread(stub, &rest, &cpu)))
            return false;
        for (int i = 0; i < (int)stub->machine->cpus; i++) {
            if (has[i] || (cpu != GDB_ALL_CPUS && cpu != i))
                continue;
            actions[i] = action;
            has[i] = any = true;
        }
    }
    return any;
}

void gdb_resume_threads(struct gdb_stub *stub, const char *rest, const char *end)
{
    enum machine_action actions[BOARD_MAX_CPUS] = {MACHINE_CPU_HELD};
    if (parse_actions(stub, rest, end, actions))
        run(stub, actions);
    else
        gdb_send(stub, GDB_ERROR_PACKET);
}
