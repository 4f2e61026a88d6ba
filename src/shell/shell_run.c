/* The shell's commands that run the guest, and the host interface during a run. */
#include "annotations/tcl/annotate.h"
#include "cpu/isa/isa.h"
#include "src/observe/annotated.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/machine/save_request.h"
#include "src/shell/shell_state.h"
#include "src/base/symbols.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_SHOWN = 64, /* `step` shows every instruction up to this number of steps; beyond, only the final position */
    EXPECT_MAX = 1 << 12, /* longest text of -expect, in bytes */
};

/* Host interface */

void shell_end_run(struct shell *shell, const char *cause)
{
    if (!shell->run.cause)
        shell->run.cause = cause;
    machine_request_stop(shell->machine);
}

/* Stop the run if the console output ends with the text of -expect. */
static void match_expected(struct shell *shell, uint8_t byte)
{
    struct shell_run *run = &shell->run;
    if (run->tail_length == run->expect_length)
        memmove(run->tail, run->tail + 1, --run->tail_length);
    run->tail[run->tail_length++] = (char)byte;
    if (run->tail_length == run->expect_length && memcmp(run->tail, run->expect, run->expect_length) == 0)
        shell_end_run(shell, "expect");
}

/* Print a byte of the guest's console on the prompt's terminal, but drop the cursor position query ESC [6n. busybox's
 * shell sends that query, and the terminal's answer would be taken as typed input of the next prompt. */
static void put_on_terminal(struct shell *shell, uint8_t byte)
{
    static const char question[] = "\033[6n";
    if (byte == (uint8_t)question[shell->query_length]) {
        if (!question[++shell->query_length])
            shell->query_length = 0;
        return;
    }
    fwrite(question, 1, shell->query_length, stdout);
    shell->query_length = byte == (uint8_t)question[0];
    if (shell->query_length)
        return;
    putc(byte, stdout);
    shell->output_mid_line = byte != '\n';
}

/* Same routing as `simos run`: if there is a job, its output goes to stdout and the console to stderr. */
static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct shell *shell = opaque;
    bool job = shell->machine->job != NULL;
    progress_erase(shell->run.progress);
    if (uart == 0)
        shell_console_receive(shell, byte);
    if (uart == 0 && shell->annotate)
        annotate_console_byte(shell->annotate, byte);
    if (uart == 0 && shell->run.expect)
        match_expected(shell, byte);
    if (shell->silent)
        return;
    if (uart == 0 && !job && shell->interactive)
        put_on_terminal(shell, byte);
    else if (uart == 1 || (uart == 0 && !job)) {
        putc(byte, stdout);
        shell->output_mid_line = byte != '\n';
    } else if (uart == 2 || !shell->options->quiet)
        putc(byte, stderr);
    shell->run.mid_line = byte != '\n';
}

static void userland_up(void *opaque)
{
    struct shell *shell = opaque;
    if (shell->annotate)
        annotate_raise_simos(shell->annotate, ANNOTATE_BOOT);
    if (shell->run.boot)
        shell_end_run(shell, "boot");
}

static void mark(void *opaque, const char *name)
{
    struct shell *shell = opaque;
    history_note_mark(shell->history, name);
    if (shell->annotate)
        annotate_raise_mark(shell->annotate, name);
    if (shell->run.mark && strcmp(shell->run.mark, name) == 0)
        shell_end_run(shell, "mark");
}

static void poll(void *opaque)
{
    struct shell *shell = opaque;
    fflush(stdout);
    shell_console_poll(shell);
    if (!shell->run.mid_line)
        machine_progress_update(&shell->run.of_machine, shell->machine, shell->run.progress);
    if (shell_is_ending(shell)) {
        const int signal = end_signals_peek(shell->signals); /* a pending signal ends the script, too */
        shell->interrupted = 0;
        shell->run_interrupted = true;
        shell->run.cause = "interrupted";
        external_stop(shell->machine->external, signal ? (unsigned)signal : SIGINT);
    }
}

static void about_to_sleep(void *opaque)
{
    (void)opaque;
    fflush(stdout);
}

const struct machine_host shell_host = {
    .uart_output = uart_output,
    .userland_up = userland_up,
    .mark = mark,
    .poll = poll,
    .sleep = about_to_sleep,
};

void shell_run_begin(struct shell *shell, const struct machine_limits *until)
{
    Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
    if (out)
        Tcl_Flush(out);
    if (shell->annotate)
        annotate_resume(shell->annotate);
    for (unsigned i = 0; i < shell->machine->cpus; i++)
        shell->run.start_insns[i] = shell->machine->cores[i]->s.insns;
    if (until && !shell->interactive) { /* at a prompt the terminal belongs to the guest during the run */
        shell->run.progress = progress_create();
        shell->run.mid_line = shell->output_mid_line;
        machine_progress_begin(&shell->run.of_machine, shell->machine, until);
    }
}

void shell_run_end(struct shell *shell)
{
    fflush(stdout);
    progress_free(shell->run.progress);
    free(shell->run.tail);
    shell->run = (struct shell_run){.cause = shell->run.cause};
}

const char *shell_stop_word(const struct shell *shell, enum machine_stop reason)
{
    switch (reason) {
    case MACHINE_STOP_TIME: return "time";
    case MACHINE_STOP_INSNS: return "insns";
    case MACHINE_STOP_EXIT: return "exit";
    case MACHINE_STOP_REBOOT: return "reboot";
    case MACHINE_STOP_DEADLOCK: return "deadlock";
    case MACHINE_STOP_BARRIER: return "barrier";
    case MACHINE_STOP_FAILED: return "failed";
    case MACHINE_STOP_PAUSE: return "pause";
    case MACHINE_STOP_SAVE:
    case MACHINE_STOP_REQUEST:
    case MACHINE_STOP_STEP:
    case MACHINE_STOP_HELD:
    case MACHINE_STOP_HORIZON: /* of a process of the past: the present says the word */
    case MACHINE_STOP_HOOK:
        return shell->run.cause                                           ? shell->run.cause
               : external_stop_reason(shell->machine->external) == SIGINT ? "interrupted" /* when the run is a replay */
                                                                          : "break";
    }
    log_bug("stop reason %d", (int)reason);
}

/* Breakpoints */

static bool break_hit(void *opaque, struct core *core)
{
    struct shell_break *point = opaque;
    struct shell *shell = point->shell;
    if (core->s.insns == shell->run.start_insns[core->number])
        return false;
    point->hits++;
    if (!shell->run.cause)
        shell->run.cause = point->temporary ? "until" : "break";
    return machine_stop_at_hook(shell->machine, core);
}

static void add_break(struct shell *shell, struct shell_break *point, vaddr address)
{
    *point = (struct shell_break){.shell = shell, .next = shell->breaks, .address = address};
    shell->breaks = point;
    for (unsigned i = 0; i < shell->machine->cpus; i++)
        core_hook_add(shell->machine->cores[i], address, break_hit, point);
}

static void remove_break(struct shell *shell, struct shell_break *point)
{
    struct shell_break **link = &shell->breaks;
    while (*link != point)
        link = &(*link)->next;
    *link = point->next;
    for (unsigned i = 0; i < shell->machine->cpus; i++)
        core_hook_remove(shell->machine->cores[i], point->address, break_hit, point);
}

static struct shell_break *find_break(struct shell *shell, vaddr address)
{
    struct shell_break *point = shell->breaks;
    while (point && point->address != address)
        point = point->next;
    return point;
}

void shell_break_set(struct shell *shell, vaddr address)
{
    if (!find_break(shell, address))
        add_break(shell, checked_memory(malloc(sizeof(struct shell_break))), address);
}

void shell_breaks_remove(struct shell *shell)
{
    while (shell->breaks) {
        struct shell_break *point = shell->breaks;
        const bool temporary = point->temporary; /* that of a run which a copy of the process does not end */
        remove_break(shell, point);
        if (!temporary)
            free(point);
    }
}

void shell_run_discard(struct shell *shell)
{
    shell_breaks_remove(shell);
    shell_console_discard(shell);
    shell_checkpoint_discard(shell);
    shell->run.cause = NULL;
}

static int get_code_address(struct shell *shell, Tcl_Obj *word, vaddr *address)
{
    if (shell_get_address(shell, word, address) != TCL_OK)
        return TCL_ERROR;
    return *address & 3 ? shell_error(shell, "%s: an instruction's address is a multiple of 4", Tcl_GetString(word))
                        : TCL_OK;
}

/* Without an address this is Tcl's own `break`. */
static int break_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    vaddr address;
    if (count == 1)
        return TCL_BREAK;
    if (count > 2)
        return shell_usage(shell, words, "SYMBOL|ADDRESS");
    if (shell_build(shell) != TCL_OK || get_code_address(shell, words[1], &address) != TCL_OK)
        return TCL_ERROR;
    shell_break_set(shell, address);
    Tcl_SetObjResult(interp, shell_hex_word(address));
    return TCL_OK;
}

static int unbreak_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)interp;
    struct shell *shell = data;
    vaddr address;
    if (count != 2)
        return shell_usage(shell, words, "SYMBOL|ADDRESS|all");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    if (strcmp(Tcl_GetString(words[1]), "all") == 0) {
        shell_breaks_remove(shell);
        return TCL_OK;
    }
    if (get_code_address(shell, words[1], &address) != TCL_OK)
        return TCL_ERROR;
    struct shell_break *point = find_break(shell, address);
    if (!point)
        return shell_error(shell, "no breakpoint at %s", Tcl_GetString(words[1]));
    remove_break(shell, point);
    free(point);
    return TCL_OK;
}

static int breaks_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    char *text = NULL, name[256];
    size_t size;
    if (count > 1)
        return shell_usage(shell, words, "");
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    for (const struct shell_break *point = shell->breaks; point; point = point->next) {
        shell_symbol_text(shell, point->address, name, sizeof name);
        Tcl_Obj *row = Tcl_NewDictObj();
        Tcl_DictObjPut(interp, row, Tcl_NewStringObj("address", -1), shell_hex_word(point->address));
        Tcl_DictObjPut(interp, row, Tcl_NewStringObj("symbol", -1), Tcl_NewStringObj(name, -1));
        Tcl_DictObjPut(interp, row, Tcl_NewStringObj("hits", -1), Tcl_NewWideIntObj((Tcl_WideInt)point->hits));
        Tcl_ListObjAppendElement(interp, list, row);
        if (out)
            fprintf(out, "0x%08x %s: %llu times\n", point->address, name, (unsigned long long)point->hits);
    }
    if (out)
        fclose(out);
    shell_pretty(shell, list, text);
    return TCL_OK;
}

/* run */

enum { RUN_SECONDS, RUN_INSNS, RUN_UNTIL, RUN_MARK, RUN_EXPECT, RUN_BOOT };
static const char *const run_options[] = {"-seconds", "-insns", "-until", "-mark", "-expect", "-boot", NULL};

/* Parsed options of `run`. */
struct request {
    struct machine_limits limits;
    bool until;
    vaddr until_address;
};

static int get_seconds(struct shell *shell, Tcl_Obj *word, cycles *limit)
{
    double seconds, now = shell_seconds(shell, machine_now(shell->machine));
    if (Tcl_GetDoubleFromObj(NULL, word, &seconds) != TCL_OK || !(seconds > 0) || seconds + now > 1e9)
        return shell_error(shell, "-seconds \"%s\" is not a positive number of seconds", Tcl_GetString(word));
    *limit = machine_now(shell->machine) + (cycles)ceil(seconds * (double)shell->machine->queue->clock_hz);
    return TCL_OK;
}

static int get_expected(struct shell *shell, Tcl_Obj *word)
{
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    if (length == 0 || length > EXPECT_MAX)
        return shell_error(shell, "-expect: a text of 1 to %d bytes", EXPECT_MAX);
    free(shell->run.tail);
    shell->run.tail = checked_memory(malloc((size_t)length));
    shell->run.expect = text;
    shell->run.expect_length = (size_t)length;
    return TCL_OK;
}

static int parse_run(struct shell *shell, int count, Tcl_Obj *const words[], struct request *request)
{
    uint64_t insns;
    *request = (struct request){.limits = MACHINE_NO_LIMITS};
    for (int i = 1; i < count; i++) {
        int option;
        if (Tcl_GetIndexFromObj(shell->interp, words[i], run_options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        if (option == RUN_BOOT) {
            shell->run.boot = true;
            continue;
        }
        if (++i == count)
            return shell_error(shell, "%s: its value is missing", run_options[option]);
        int code = TCL_OK;
        switch (option) {
        case RUN_SECONDS: code = get_seconds(shell, words[i], &request->limits.time); break;
        case RUN_INSNS:
            code = shell_get_number(shell, words[i], "-insns", 1, INT64_MAX, &insns);
            if (code == TCL_OK)
                request->limits.insns = machine_insns(shell->machine) + insns;
            break;
        case RUN_UNTIL:
            request->until = true;
            code = get_code_address(shell, words[i], &request->until_address);
            break;
        case RUN_MARK: shell->run.mark = Tcl_GetString(words[i]); break;
        default: code = get_expected(shell, words[i]); break;
        }
        if (code != TCL_OK)
            return code;
    }
    return TCL_OK;
}

/* Set the result of `run` and `step`: WORD; a prompt also shows exit status and position. */
static int stopped(struct shell *shell, enum machine_stop reason, const char *word)
{
    char *text = NULL;
    size_t size;
    if (reason == MACHINE_STOP_FAILED)
        return shell_error(shell, "%s", shell->machine->failure.text);
    if (reason == MACHINE_STOP_HOOK)
        shell->cpu = shell->machine->stopped_cpu;
    if (shell->interactive) {
        FILE *out = shell_text_open(&text, &size);
        fprintf(out, "%s", word);
        if (reason == MACHINE_STOP_EXIT)
            fprintf(out, " %u", (unsigned)shell->machine->exit_status);
        fprintf(out, ": ");
        shell_print_position(shell, out, shell->cpu);
        fclose(out);
    }
    shell_pretty(shell, Tcl_NewStringObj(word, -1), text);
    return TCL_OK;
}

/* After Ctrl-C the rest of the command line must not start another run. */
int shell_prepare_run(struct shell *shell)
{
    if (shell->run_interrupted)
        return shell_error(shell, "interrupted");
    if (shell_check_writable(shell) != TCL_OK)
        return TCL_ERROR;
    shell->run.cause = NULL;
    return shell_build(shell);
}

static int run_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)interp;
    struct shell *shell = data;
    struct request request;
    struct shell_break until;
    if (shell_prepare_run(shell) != TCL_OK)
        return TCL_ERROR;
    int code = parse_run(shell, count, words, &request);
    if (code == TCL_OK) {
        if (request.until) {
            add_break(shell, &until, request.until_address);
            until.temporary = true;
        }
        shell_run_begin(shell, &request.limits);
        enum machine_stop reason;
        code = shell_checkpoint_run(shell, &request.limits, &reason);
        if (shell->exit_pending)
            shell_leave(shell, shell->exit_status);
        if (request.until)
            remove_break(shell, &until);
        if (code == TCL_OK)
            code = stopped(shell, reason, shell_stop_word(shell, reason));
    }
    shell_run_end(shell);
    return code;
}

/* step */

/* Execute one instruction and print it to OUT. An exception has a line of its own after the instruction that raised it;
 * an interrupt has one before the first instruction of its handler. */
static enum machine_stop step_shown(struct shell *shell, FILE *out, unsigned cpu)
{
    const struct core *core = shell->machine->cores[cpu];
    uint64_t interrupts = core_interrupts(core), exceptions = core_exceptions(core), insns = core->s.insns;
    char *line;
    size_t size;
    FILE *before = shell_text_open(&line, &size);
    shell_print_insn(shell, before, cpu, core->s.pc);
    fclose(before);
    enum machine_stop reason = save_request_step(shell->machine, cpu, 1);
    bool interrupted = core_interrupts(core) != interrupts, excepted = core_exceptions(core) != exceptions;
    if (excepted) {
        fprintf(out, "%s-- exception %s\n", interrupted ? "-- interrupt\n" : line,
                core->architecture->exceptions[core_exception_code(core)].name);
    } else if (interrupted) {
        fprintf(out, "-- interrupt\n");
        shell_print_insn(shell, out, cpu, core->s.pc - 4);
    } else if (core->s.insns != insns)
        fputs(line, out);
    free(line);
    return reason;
}

static int step_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-cpu", NULL};
    struct shell *shell = data;
    uint64_t steps = 1;
    if (shell_prepare_run(shell) != TCL_OK)
        return TCL_ERROR;
    unsigned cpu = shell->cpu;
    for (int i = 1, option; i < count; i++) {
        const char *word = Tcl_GetString(words[i]);
        if (word[0] != '-') {
            if (shell_get_number(shell, words[i], "steps", 1, INT64_MAX, &steps) != TCL_OK)
                return TCL_ERROR;
        } else if (Tcl_GetIndexFromObj(interp, words[i], options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        else if (++i == count)
            return shell_error(shell, "-cpu: its value is missing");
        else if (shell_get_cpu(shell, words[i], &cpu) != TCL_OK)
            return TCL_ERROR;
    }
    if (!shell->machine->cores[cpu]->s.running)
        return shell_error(shell, "CPU %u is off", cpu);
    shell->cpu = cpu;
    shell_run_begin(shell, NULL);
    enum machine_stop reason = MACHINE_STOP_INSNS;
    char *text = NULL;
    size_t size;
    bool shown = shell->interactive && steps <= STEPS_SHOWN;
    if (shown) {
        FILE *out = shell_text_open(&text, &size);
        for (uint64_t i = 0; i < steps && reason == MACHINE_STOP_INSNS; i++)
            reason = step_shown(shell, out, cpu);
        fclose(out);
    } else
        reason = save_request_step(shell->machine, cpu, steps);
    const char *word = reason == MACHINE_STOP_INSNS ? "step" : shell_stop_word(shell, reason);
    if (shown && reason == MACHINE_STOP_INSNS)
        shell_pretty(shell, Tcl_NewStringObj(word, -1), text);
    else {
        if (text && *text) {
            fputs(text, stdout);
            fflush(stdout);
        }
        free(text);
        stopped(shell, reason, word);
    }
    shell_run_end(shell);
    return TCL_OK;
}

/* Other commands */

static int now_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewDoubleObj(shell_seconds(shell, machine_now(shell->machine))));
    return TCL_OK;
}

static int insns_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)machine_insns(shell->machine)));
    return TCL_OK;
}

static int status_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(shell->machine->exit_status));
    return TCL_OK;
}

const struct shell_command shell_run_commands[] = {
    {"run", "?-seconds S? ?-insns N? ?-until SYMBOL|ADDRESS? ?-mark NAME? ?-expect TEXT? ?-boot?",
     "let the guest run; returns why it stopped",
     "    -seconds S     at most S more simulated seconds: time\n"
     "    -insns N       N more instructions, over all CPUs: insns\n"
     "    -until WHERE   a CPU comes to that instruction: until\n"
     "    -mark NAME     the guest reaches the mark NAME: mark\n"
     "    -expect TEXT   the guest's console prints TEXT: expect\n"
     "    -boot          userland is up, the job has not started: boot\n"
     "    Otherwise it ends with exit, reboot, deadlock, break (a breakpoint) or interrupted (Ctrl-C).",
     run_command, SHELL_AT_PLACE},
    {"step", "?N? ?-cpu C?", "run one instruction, or N, of the selected CPU or of C",
     "    Returns step, or why it stopped earlier. The other CPUs run along.", step_command, SHELL_AT_PLACE},
    {"break", "SYMBOL|ADDRESS", "stop whenever a CPU comes to that instruction",
     "    Without an argument it is Tcl's own `break`, which ends a loop.", break_command, SHELL_HERE},
    {"unbreak", "SYMBOL|ADDRESS|all", "remove a breakpoint", "", unbreak_command, SHELL_HERE},
    {"breaks", "", "list the breakpoints and their hit counts", "", breaks_command, SHELL_HERE},
    {"now", "", "simulated seconds since power-on", "", now_command, SHELL_AT_PLACE},
    {"insns", "", "instructions executed, over all CPUs", "", insns_command, SHELL_AT_PLACE},
    {"status", "", "exit status with which the guest ended its run", "", status_command, SHELL_HERE},
    {0},
};
