/* The shell's annotation commands, and the callbacks of the annotation engine (annotations/). */
#include "annotations/tcl/annotate.h"
#include "src/base/json_writer.h"
#include "src/machine/machine_model.h"
#include "src/observe/annotated.h"
#include "src/observe/evictions.h"
#include "src/machine/machine_guest.h"
#include "src/shell/shell_state.h"
#include <stdlib.h>

static cycles now(void *opaque)
{
    return machine_now(((struct shell *)opaque)->machine);
}

static uint64_t insns(void *opaque)
{
    return machine_insns(((struct shell *)opaque)->machine);
}

static void select_cpu(void *opaque, unsigned cpu)
{
    ((struct shell *)opaque)->cpu = cpu;
}

static void stop(void *opaque, unsigned status)
{
    struct shell *shell = opaque;
    shell->exit_pending = true;
    shell->exit_status = status;
    shell_end_run(shell, "exit");
}

static void fail(void *opaque, const struct err *reason)
{
    machine_fail(((struct shell *)opaque)->machine, reason);
}

static bool ending(void *opaque)
{
    return shell_is_ending(opaque);
}

/* Add what annotations have collected to the machine's statistics. */
static void write_json(void *opaque, struct json_writer *json)
{
    annotate_write_json(opaque, json);
}

static void add_results(struct shell *shell)
{
    stats_json(shell->machine->stats, "annotations", "what annotations have collected", write_json, shell->annotate);
}

bool shell_annotate(struct shell *shell, struct err *err)
{
    const char *whatif = params_string(shell->machine->params, "whatif.free");
    const struct machine_view view = machine_view_of(shell->machine);
    evictions_register(shell->machine);
    const struct annotate_host host = {.now = now,
                                       .insns = insns,
                                       .select = select_cpu,
                                       .stop = stop,
                                       .fail = fail,
                                       .ending = ending,
                                       .opaque = shell};
    shell->annotate = annotate_create(shell->interp, &view, &host);
    if (!*whatif)
        return true;
    if (!annotate_set_whatif(shell->annotate, whatif, machine_models_reorder(shell->machine), err))
        return false;
    add_results(shell);
    return true;
}

bool shell_check_whatif(const struct shell *shell, const char *name, struct err *err)
{
    const struct cpu_model_ops *model = machine_model_find(name);
    return !model || !model->reorders ||
           annotate_check_whatif(params_string(shell->machine->params, "whatif.free"), err);
}

void shell_annotate_end(struct shell *shell)
{
    annotate_free(shell->annotate);
    shell->annotate = NULL;
}

static int with_annotations(struct shell *shell, Tcl_ObjCmdProc *call, int count, Tcl_Obj *const words[])
{
    if (shell_build(shell) != TCL_OK)
        return TCL_ERROR;
    bool had = annotate_has_results(shell->annotate);
    int code = call(shell->annotate, shell->interp, count, words);
    if (!had && shell->annotate && annotate_has_results(shell->annotate))
        add_results(shell);
    return code;
}

#define COMMAND(name)                                                                                                  \
    static int name(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])                            \
    {                                                                                                                  \
        (void)interp;                                                                                                  \
        return with_annotations(data, name##_command, count, words);                                                   \
    }
COMMAND(annotation)
COMMAND(service)
COMMAND(automaton)
COMMAND(analyser)
COMMAND(timing)
COMMAND(statistics)
static int struct_(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)interp;
    return with_annotations(data, struct_command, count, words);
}
COMMAND(field)
COMMAND(arg)
COMMAND(library)

const struct shell_command shell_annotation_commands[] = {
    {"annotation", "set|enable|disable|delete|info|events|type|exec|types ...",
     "attach Tcl to events of the machine and its guest",
     "    annotation set TYPE EVENT ?-tag T? ?-cpu N? ?-process NAME? ?-once? ?-every N? ?-disabled? BODY\n"
     "    annotation enable|disable TAG|NUMBER ?CPU?\n"
     "    annotation delete TAG|NUMBER\n"
     "    annotation info ?TAG|NUMBER?\n"
     "    annotation events TAG|NUMBER\n"
     "    annotation type NAME enum {EVENT ...}\n"
     "    annotation exec TYPE EVENT\n"
     "    annotation types\n"
     "    `annotation types` lists the types of events. Variables of bodies: docs/reference/annotations.md.",
     annotation, SHELL_AT_PLACE},
    {"service", "begin|enter|become|switch|born|named|woken|moved|count|lock|layout|syscall|figure|print ...",
     "charge cycles to operating system services and processes",
     "    `library services` begins it for Linux. `service print` gives the tables so far, `service figure NAME WHAT\n"
     "    ?-process NAME|PID?` one number: calls, cycles, insns, stall, misses, latency, ended, blocked, descheduled,\n"
     "    queued, dispatches, sync, acquires, contended. The others declare rules: "
     "docs/reference/annotation-services.md.",
     service, SHELL_AT_PLACE},
    {"automaton", "define NAME -per cpu|process|line BODY | figure NAME STATE FIGURE | figure NAME COUNT",
     "state machines that follow processors, processes or lines of memory natively",
     "    Lines: -in ADDRESS,LENGTH before BODY selects the loads and stores to observe. In BODY: state NAME ...; on "
     "TYPE "
     "EVENT\n"
     "    FROM ->|push STATE, or pop, with -count NAME, -when CONDITION, -of REG, -by any|same|other.\n"
     "    Figures: entered, time, cycles, insns, members. docs/reference/annotation-collect.md.",
     automaton, SHELL_AT_PLACE},
    {"analyser", "define NAME ?-cpu N? ?-clock cycle|fetch|graduation? BODY | figure NAME COUNTER | samples NAME STATE",
     "logic analysers: recognisers, states, counters and a trace buffer on the pins of a processor",
     "    In BODY: recogniser NAME TESTS; state NAME ...; counter NAME ?-bits N?; on CONDITION FROM -> TO ?ACTIONS?;\n"
     "    also CONDITION STATE ACTIONS; trace ?-entries N? ?-keep first|last? ?-qualify CONDITION?.\n"
     "    docs/reference/analyser.md.",
     analyser, SHELL_AT_PLACE},
    {"timing", "create|fields|switch|end|exit|terminate|dump TREE ...",
     "phases within phases, with what processors got in each",
     "    timing create TREE; fields TREE {calls cycles insns wait stall misses}; switch TREE PHASE; end TREE "
     "?PHASE?;\n"
     "    exit TREE; terminate TREE; dump TREE. docs/reference/annotation-collect.md.",
     timing, SHELL_AT_PLACE},
    {"statistics", "create NAME | entry NAME VALUE ?KEY? | list ?NAME?", "values that a script collects",
     "    Count, sum, least and most for each key. docs/reference/annotation-collect.md.", statistics, SHELL_AT_PLACE},
    {"struct", "NAME FIELD | NAME SIZE {{FIELD OFFSET SIZE KIND} ...}", "the offset of a field, or a new structure",
     "    `library layout` knows some of the kernel's.", struct_, SHELL_AT_PLACE},
    {"field", "STRUCTURE ADDRESS FIELD", "a field of a structure in the guest's memory", "", field, SHELL_AT_PLACE},
    {"arg", "N", "argument N, from 0, of the function whose first instruction the selected CPU is at",
     "    By the o32 convention: four in registers, the others on the stack.", arg, SHELL_AT_PLACE},
    {"library", "NAME", "evaluate a built-in script: services, layout, syscalls", "", library, SHELL_AT_PLACE},
    {"log", "TEXT", "a line on stderr", "", log_command, SHELL_AT_PLACE},
    {0},
};
