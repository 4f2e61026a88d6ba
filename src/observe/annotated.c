#include "src/observe/annotated.h"
#include "src/machine/machine_guest.h"

#include "cpu/model.h"
#include "src/base/json_writer.h"
#include "src/machine/board_disks.h"
#include "src/machine/board_net.h"
#include "src/machine/machine_model.h"
#include "src/host/end_signals.h"
#include "src/base/input_file.h"
#include "src/machine/save_request.h"
#include "src/tcl/tcl_interrupt.h"
#include "annotations/services/services.h"
#include <stdlib.h>
#include <string.h>

struct annotated {
    const char *script;
    char *text; /* of the script; NULL: a library */
    bool is_library;
    const struct annotated_interpreter *interpreter;
    void *opened; /* owns the Tcl interpreter */
    struct end_signals *signals;
    struct machine *machine;
    struct annotate *annotate;
};

/* Callbacks of the annotation engine (struct annotate_host) */

static cycles now(void *opaque)
{
    return machine_now(((struct annotated *)opaque)->machine);
}

static uint64_t insns(void *opaque)
{
    return machine_insns(((struct annotated *)opaque)->machine);
}

static void select_cpu(void *opaque, unsigned cpu)
{
    const struct annotated *annotated = opaque;
    annotated->interpreter->select_cpu(annotated->opened, cpu);
}

static void stop(void *opaque, unsigned status)
{
    machine_request_exit(((struct annotated *)opaque)->machine, status);
}

static void fail(void *opaque, const struct err *reason)
{
    machine_fail(((struct annotated *)opaque)->machine, reason);
}

static bool ending(void *opaque)
{
    return end_signals_peek(((struct annotated *)opaque)->signals) != 0;
}

/* Creation, begin and end */

bool annotated_is_library(const char *name)
{
    return !strchr(name, '/') && !strchr(name, '.');
}

bool annotated_create(struct annotated **annotated, const char *script, const struct annotated_interpreter *interpreter,
                      struct err *err)
{
    *annotated = NULL;
    if (!script)
        return true;
    struct annotated *new = checked_memory(calloc(1, sizeof *new));
    new->script = script;
    new->interpreter = interpreter;
    new->is_library = annotated_is_library(script);
    new->text = new->is_library ? NULL : input_file_text(INPUT_SCRIPT, script, err);
    if (!new->is_library && !new->text) {
        free(new);
        return false;
    }
    *annotated = new;
    return true;
}

void annotated_free(struct annotated *annotated)
{
    if (!annotated)
        return;
    if (annotated->machine && annotated->machine->annotate == annotated->annotate)
        annotated->machine->annotate = NULL;
    annotate_free(annotated->annotate);
    annotated->interpreter->close(annotated->opened);
    free(annotated->text);
    free(annotated);
}

static void write_json(void *opaque, struct json_writer *json)
{
    annotate_write_json(((struct annotated *)opaque)->annotate, json);
}

static Tcl_Interp *interp_of(const struct annotated *annotated)
{
    return annotated->interpreter->interp(annotated->opened);
}

static bool complain(const struct annotated *annotated, struct err *err)
{
    Tcl_Interp *interp = interp_of(annotated);
    return err_set(err, "%.200s, line %d: %.250s", annotated->script, Tcl_GetErrorLine(interp),
                   Tcl_GetStringResult(interp));
}

/* Evaluate TEXT, the contents of PATH, as `source` does: `info script` is PATH meanwhile. */
static int eval_text(Tcl_Interp *interp, const char *path, const char *text)
{
    Tcl_Obj *words[] = {Tcl_NewStringObj("info", -1), Tcl_NewStringObj("script", -1), Tcl_NewStringObj(path, -1)};
    Tcl_Obj *script = Tcl_NewStringObj(text, -1);
    for (size_t i = 0; i < 3; i++)
        Tcl_IncrRefCount(words[i]);
    Tcl_IncrRefCount(script);
    int code = Tcl_EvalObjv(interp, 3, words, TCL_EVAL_GLOBAL);
    if (code == TCL_OK)
        code = Tcl_EvalObjEx(interp, script, TCL_EVAL_DIRECT);
    for (size_t i = 0; i < 3; i++)
        Tcl_DecrRefCount(words[i]);
    Tcl_DecrRefCount(script);
    return code;
}

bool annotated_begin(struct annotated *annotated, struct machine *machine, struct end_signals *signals, struct err *err)
{
    if (!annotated)
        return true;
    const struct machine_view view = machine_view_of(machine);
    const struct annotate_host host = {.now = now,
                                       .insns = insns,
                                       .select = select_cpu,
                                       .stop = stop,
                                       .fail = fail,
                                       .ending = ending,
                                       .opaque = annotated};
    annotated->machine = machine;
    annotated->signals = signals;
    annotated->opened = annotated->interpreter->open(machine, signals, err);
    if (!annotated->opened)
        return false;
    annotated->annotate = annotate_create(interp_of(annotated), &view, &host);
    annotated->interpreter->set_annotate(annotated->opened, annotated->annotate);
    annotate_set_script(annotated->annotate, annotated->script);
    int code = annotated->is_library ? annotate_use_library(annotated->annotate, annotated->script)
                                     : eval_text(interp_of(annotated), annotated->script, annotated->text);
    if (code != TCL_OK && !annotate_was_unwound(annotated->annotate, code))
        return complain(annotated, err);
    tcl_interrupt_reset(interp_of(annotated));
    annotate_raise_simos(annotated->annotate, ANNOTATE_ENTER);
    if (machine_insns(machine) > 0)
        annotate_raise_simos(annotated->annotate, ANNOTATE_RESTORE);
    return !annotate_failed(annotated->annotate, err);
}

bool annotated_add_services(struct annotated *annotated, bool wanted, struct err *err)
{
    if (!wanted || annotate_services(annotated->annotate) ||
        annotate_use_library(annotated->annotate, "services") == TCL_OK)
        return true;
    return complain(annotated, err);
}

bool annotated_set_whatif(struct annotated *annotated, struct err *err)
{
    const struct machine *machine = annotated ? annotated->machine : NULL;
    const char *text = machine ? params_string(machine->params, "whatif.free") : "";
    return !*text || annotate_set_whatif(annotated->annotate, text, machine_models_reorder(machine), err);
}

bool annotated_add_names(struct annotated *annotated, const char *const folders[], unsigned count, bool profiles,
                         struct err *err)
{
    if (annotate_need_layout(annotated->annotate) != TCL_OK)
        return complain(annotated, err);
    for (unsigned i = 0; i < count; i++)
        if (!annotate_add_symbols(annotated->annotate, folders[i], err))
            return false;
    annotated->machine->annotate = annotated->annotate;
    if (profiles)
        annotate_name_profiles(annotated->annotate);
    return !profiles || !params_is(annotated->machine->params, "execution.counts", "calls") ||
           annotate_record_calls(annotated->annotate, err);
}

struct annotate *annotated_annotate(const struct annotated *annotated)
{
    return annotated ? annotated->annotate : NULL;
}

/* Between runs: write the checkpoints that annotation bodies have requested. */
static bool save(struct annotate *annotate, struct machine *machine, struct err *err)
{
    if (!save_request_pending(machine))
        return true;
    machine->saving = true; /* a body of the checkpoint event cannot request another checkpoint */
    annotate_raise_simos(annotate, ANNOTATE_CHECKPOINT);
    return save_request_perform(machine, err);
}

enum machine_stop annotated_run(struct annotate *annotate, struct machine *machine, const struct machine_limits *limits)
{
    if (!annotate)
        return save_request_run(machine, limits);
    for (;;) {
        struct machine_limits next = *limits;
        annotate_run_due(annotate);
        if (!save(annotate, machine, &machine->failure))
            return MACHINE_STOP_FAILED;
        annotate_next_trigger(annotate, &next.time, &next.insns);
        enum machine_stop reason = machine_run(machine, &next);
        bool ours = (reason == MACHINE_STOP_TIME && next.time < limits->time) ||
                    (reason == MACHINE_STOP_INSNS && next.insns < limits->insns);
        if (ours || reason == MACHINE_STOP_SAVE)
            continue;
        annotate_run_due(annotate);
        return save(annotate, machine, &machine->failure) ? reason : MACHINE_STOP_FAILED;
    }
}

bool annotated_end(struct annotated *annotated, struct err *err)
{
    struct err broken = {""};
    if (!annotated)
        return true;
    annotate_resume(annotated->annotate);
    annotate_raise_simos(annotated->annotate, ANNOTATE_EXIT);
    struct services *services = annotate_services(annotated->annotate);
    if (services && !services_check(services, &broken))
        log_bug("%s", broken.text);
    if (annotate_has_results(annotated->annotate))
        stats_json(annotated->machine->stats, "annotations", "what annotations have collected", write_json, annotated);
    return save(annotated->annotate, annotated->machine, err);
}

void annotated_write_member(struct annotated *annotated, struct json_writer *json)
{
    if (!annotated || !annotated->annotate || !annotate_has_results(annotated->annotate))
        return;
    json_line(json, 2);
    json_key(json, "annotations");
    annotate_write_json(annotated->annotate, json);
}

bool annotated_print(struct annotated *annotated, FILE *out, struct err *err)
{
    if (!annotated)
        return true;
    annotate_print(annotated->annotate, out);
    return !annotate_failed(annotated->annotate, err);
}
