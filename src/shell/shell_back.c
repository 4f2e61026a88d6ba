/* The shell's commands that go to another instant of the past. */
#include "annotations/tcl/annotate.h"
#include "src/shell/shell_state.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int shell_need_history(struct shell *shell)
{
    if (shell->in_past)
        return shell_error(shell, "the past has no past of its own: not in the body of an annotation");
    if (shell->read_only || annotate_is_running(shell->annotate))
        return shell_check_writable(shell) != TCL_OK ? TCL_ERROR : shell_error(shell, "not here");
    if (shell->history)
        return TCL_OK;
    return shell->machine ? shell_error(shell, "this machine's past is not kept: start simos with --history")
                          : shell_need_machine(shell);
}

/* Going */

/* The result of a command that has gone somewhere: the number of instructions; a prompt shows where the CPUs are. */
static int arrived(struct shell *shell)
{
    const uint64_t insns = history_place(shell->history).insns;
    char *text = NULL;
    if (shell->interactive) {
        if (shell_do(shell, "where", NULL) == TCL_OK && shell->pretty_text)
            text = checked_memory(strdup(Tcl_GetString(shell->pretty_text)));
    }
    shell_pretty(shell, Tcl_NewWideIntObj((Tcl_WideInt)insns), text);
    return TCL_OK;
}

static int go(struct shell *shell, const struct history_target *target)
{
    struct err err = {""};
    if (!history_go(shell->history, target, &err))
        return shell_error(shell, "back: %s", err.text);
    return arrived(shell);
}

enum unit { UNIT_INSN, UNIT_INSNS, UNIT_CYCLE, UNIT_CYCLES };
static const char *const unit_names[] = {"insn", "insns", "cycle", "cycles", NULL};

/* To an instant at which no more than TIME had passed, the last one if there is one CPU. Several come to a time within
 * a quantum. */
static int go_to_time(struct shell *shell, cycles time)
{
    struct err err = {""};
    struct history_target target = {.unit = HISTORY_TIME, .value = time};
    for (cycles step = 1;; step *= 2) {
        if (!history_go(shell->history, &target, &err))
            return shell_error(shell, "back: %s", err.text);
        const struct history_position place = history_place(shell->history);
        if (place.time <= time || place.insns == 0)
            return arrived(shell);
        if (shell->machine->cpus == 1)
            target = (struct history_target){.unit = HISTORY_INSNS, .value = place.insns - 1};
        else
            target.value =
                target.value > step * shell->machine->quantum ? target.value - step * shell->machine->quantum : 0;
    }
}

/* back N UNIT ?-cpu C? */
static int back_by(struct shell *shell, int count, Tcl_Obj *const words[])
{
    uint64_t number;
    int unit;
    unsigned cpu = UINT_MAX;
    if (shell_get_number(shell, words[1], "back", 1, INT64_MAX, &number) != TCL_OK ||
        Tcl_GetIndexFromObj(shell->interp, words[2], unit_names, "unit", 0, &unit) != TCL_OK)
        return TCL_ERROR;
    if (count == 5 && (strcmp(Tcl_GetString(words[3]), "-cpu") != 0 || unit > UNIT_INSNS))
        return shell_error(shell, "back: -cpu C, of instructions, not \"%s\"", Tcl_GetString(words[3]));
    if (count == 5 && shell_get_cpu(shell, words[4], &cpu) != TCL_OK)
        return TCL_ERROR;
    const struct history_position place = history_place(shell->history);
    struct history_target target = {.unit = HISTORY_INSNS, .value = place.insns};
    if (unit > UNIT_INSNS)
        return go_to_time(shell, number < place.time ? place.time - number : 0);
    if (cpu != UINT_MAX)
        target = (struct history_target){HISTORY_CPU_INSNS, cpu, history_cpu_insns(shell->history, cpu)};
    if (number > target.value)
        return shell_error(shell, "back: only %llu instructions have been executed", (unsigned long long)target.value);
    target.value -= number;
    return go(shell, &target);
}

/* back to insn|time|mark WHERE */
static int back_to(struct shell *shell, Tcl_Obj *const words[])
{
    static const char *const names[] = {"insn", "mark", "time", NULL};
    enum { INSN, MARK, TIME };
    int name;
    uint64_t insns;
    double seconds;
    if (Tcl_GetIndexFromObj(shell->interp, words[2], names, "place", 0, &name) != TCL_OK)
        return TCL_ERROR;
    struct history_target target = {.unit = HISTORY_INSNS};
    if (name == INSN) {
        if (shell_get_number(shell, words[3], "insn", 0, INT64_MAX, &target.value) != TCL_OK)
            return TCL_ERROR;
    } else if (name == MARK) {
        if (!history_mark(shell->history, Tcl_GetString(words[3]), &insns))
            return shell_error(shell, "back: the guest has not come to a mark \"%s\"", Tcl_GetString(words[3]));
        target.value = insns;
    } else {
        if (Tcl_GetDoubleFromObj(NULL, words[3], &seconds) != TCL_OK || !(seconds >= 0) || seconds > 1e9)
            return shell_error(shell, "time \"%s\" is not a number of simulated seconds", Tcl_GetString(words[3]));
        target.unit = HISTORY_TIME;
        target.value = (cycles)ceil(seconds * (double)shell->machine->queue->clock_hz);
    }
    return go(shell, &target);
}

/* back until WHERE; without WHERE: any breakpoint */
static int back_until(struct shell *shell, Tcl_Obj *where)
{
    struct find_request *request = checked_memory(calloc(1, sizeof *request));
    struct find_event event;
    bool found = false;
    vaddr address = 0;
    request->cpu = FIND_ANY_CPU;
    int code = where ? shell_get_address(shell, where, &address) : TCL_OK;
    if (where)
        request->points[request->count++] = (struct find_point){FIND_EXEC, true, address, address};
    else
        for (const struct shell_break *point = shell->breaks; point && request->count < FIND_POINTS_MAX;
             point = point->next)
            request->points[request->count++] = (struct find_point){FIND_EXEC, true, point->address, point->address};
    if (code == TCL_OK && request->count == 0)
        code = shell_error(shell, "back until: there is no breakpoint; name an instruction");
    if (code == TCL_OK)
        code = shell_find(shell, request, &found, &event);
    free(request);
    if (code != TCL_OK)
        return code;
    if (!found)
        return shell_error(shell, "back: no CPU came there, as far as the past reaches");
    const struct history_target target = {.unit = HISTORY_INSNS, .value = event.insns};
    shell->cpu = event.cpu;
    return go(shell, &target);
}

static int back_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    (void)interp;
    if (shell_need_history(shell) != TCL_OK)
        return TCL_ERROR;
    if ((count == 2 || count == 3) && strcmp(Tcl_GetString(words[1]), "until") == 0)
        return back_until(shell, count == 3 ? words[2] : NULL);
    if (count == 4 && strcmp(Tcl_GetString(words[1]), "to") == 0)
        return back_to(shell, words);
    if (count == 3 || count == 5)
        return back_by(shell, count, words);
    return shell_usage(shell, words, "N insn|cycle ?-cpu C? | to insn|time|mark WHERE | until ?SYMBOL|ADDRESS?");
}

static int present_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    (void)interp;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_need_history(shell) != TCL_OK)
        return TCL_ERROR;
    history_return(shell->history);
    return arrived(shell);
}

const struct shell_command shell_back_commands[] = {
    {"back", "N insn|cycle ?-cpu C? | to insn|time|mark WHERE | until ?SYMBOL|ADDRESS?", "go back in time",
     "    back N insn ?-cpu C?   N instructions, over all CPUs or of C; back N cycle: of the clock\n"
     "    back to insn N, back to time SECONDS, back to mark NAME\n"
     "    back until WHERE       when a CPU last came to that instruction; without WHERE: to a breakpoint\n"
     "    Needs --history. There, `run` and `step` go forward again, to the present at most.",
     back_command, SHELL_HERE},
    {"present", "", "return from the past to where the guest has come to", "", present_command, SHELL_HERE},
    {0},
};
