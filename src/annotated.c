#include "src/annotated.h"

#include "src/shell.h"
#include "src/shell_state.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct annotated {
    const char *script;
    bool is_library;
    struct shell *shell; /* its interpreter */
    struct machine *machine;
    struct annotate *annotate;
    const struct machine_host *host;
    void *host_opaque;
};

struct subject annotated_subject(const struct machine *machine)
{
    return (struct subject){.cpus = machine->cpus,
                            .cores = machine->cores,
                            .mem = machine->mem,
                            .memsys = machine->memsys,
                            .symbols = machine->symbols,
                            .clock_hz = machine->queue->clock_hz};
}

/* What annotations ask of their owner */

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
    ((struct annotated *)opaque)->shell->cpu = cpu;
}

static void stop(void *opaque, unsigned status)
{
    machine_request_exit(((struct annotated *)opaque)->machine, status);
}

static void fail(void *opaque, const struct err *reason)
{
    machine_fail(((struct annotated *)opaque)->machine, reason);
}

/* Life */

static bool is_library(const char *name)
{
    return !strchr(name, '/') && !strchr(name, '.');
}

bool annotated_create(struct annotated **annotated, const char *script, struct err *err)
{
    *annotated = NULL;
    if (!script)
        return true;
    struct annotated *new = checked_memory(calloc(1, sizeof *new));
    new->script = script;
    new->is_library = is_library(script);
    FILE *file = new->is_library ? NULL : fopen(script, "r");
    if (!new->is_library && !file) {
        free(new);
        return err_set(err, "script %.300s: %s", script, strerror(errno));
    }
    if (file)
        fclose(file);
    *annotated = new;
    return true;
}

void annotated_free(struct annotated *annotated)
{
    if (!annotated)
        return;
    annotate_free(annotated->annotate);
    shell_close_observer(annotated->shell);
    free(annotated);
}

static void write_json(void *opaque, FILE *out)
{
    annotate_write_json(((struct annotated *)opaque)->annotate, out);
}

static bool complain(const struct annotated *annotated, struct err *err)
{
    Tcl_Interp *interp = annotated->shell->interp;
    return err_set(err, "%.200s, line %d: %.250s", annotated->script, Tcl_GetErrorLine(interp),
                   Tcl_GetStringResult(interp));
}

bool annotated_begin(struct annotated *annotated, struct machine *machine, struct err *err)
{
    if (!annotated)
        return true;
    const struct subject subject = annotated_subject(machine);
    const struct annotate_host host = {
        .now = now, .insns = insns, .select = select_cpu, .stop = stop, .fail = fail, .opaque = annotated};
    annotated->machine = machine;
    annotated->shell = shell_open_observer(machine, err);
    if (!annotated->shell)
        return false;
    annotated->annotate = annotate_create(annotated->shell->interp, &subject, &host);
    annotated->shell->annotate = annotated->annotate;
    annotate_set_script(annotated->annotate, annotated->script);
    int code = annotated->is_library ? annotate_use_library(annotated->annotate, annotated->script)
                                     : Tcl_EvalFile(annotated->shell->interp, annotated->script);
    if (code != TCL_OK)
        return complain(annotated, err);
    annotate_simos(annotated->annotate, ANNOTATE_ENTER);
    return !annotate_failed(annotated->annotate, err);
}

/* The host between */

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct annotated *annotated = opaque;
    if (annotated->host->uart_output)
        annotated->host->uart_output(annotated->host_opaque, uart, byte);
    if (uart == 0 && annotated->annotate)
        annotate_console(annotated->annotate, byte);
}

static void userland_up(void *opaque)
{
    struct annotated *annotated = opaque;
    if (annotated->annotate)
        annotate_simos(annotated->annotate, ANNOTATE_BOOT);
    if (annotated->host->userland_up)
        annotated->host->userland_up(annotated->host_opaque);
}

static void mark(void *opaque, const char *name)
{
    struct annotated *annotated = opaque;
    if (annotated->annotate)
        annotate_mark(annotated->annotate, name);
    if (annotated->host->mark)
        annotated->host->mark(annotated->host_opaque, name);
}

static void poll_host(void *opaque)
{
    struct annotated *annotated = opaque;
    if (annotated->host->poll)
        annotated->host->poll(annotated->host_opaque);
}

static void about_to_sleep(void *opaque)
{
    struct annotated *annotated = opaque;
    if (annotated->host->sleep)
        annotated->host->sleep(annotated->host_opaque);
}

static const struct machine_host between = {
    .uart_output = uart_output, .userland_up = userland_up, .mark = mark, .poll = poll_host, .sleep = about_to_sleep};

const struct machine_host *annotated_host(struct annotated *annotated, const struct machine_host *host, void *opaque)
{
    if (!annotated)
        return host;
    annotated->host = host;
    annotated->host_opaque = opaque;
    return &between;
}

void *annotated_host_opaque(struct annotated *annotated, void *opaque)
{
    return annotated ? annotated : opaque;
}

/* Runs */

enum machine_stop annotated_run_with(struct annotate *annotate, struct watch *watch, struct machine *machine,
                                     const struct machine_limits *limits)
{
    if (!annotate)
        return watch_run(watch, machine, limits);
    for (;;) {
        struct machine_limits next = *limits;
        annotate_due(annotate);
        annotate_next(annotate, &next.time, &next.insns);
        enum machine_stop reason = watch_run(watch, machine, &next);
        bool ours = (reason == MACHINE_STOP_TIME && next.time < limits->time) ||
                    (reason == MACHINE_STOP_INSNS && next.insns < limits->insns);
        if (!ours) {
            annotate_due(annotate);
            return reason;
        }
    }
}

enum machine_stop annotated_run(struct annotated *annotated, struct watch *watch, struct machine *machine,
                                const struct machine_limits *limits)
{
    return annotated_run_with(annotated ? annotated->annotate : NULL, watch, machine, limits);
}

void annotated_checkpoint(struct annotated *annotated)
{
    if (annotated)
        annotate_simos(annotated->annotate, ANNOTATE_CHECKPOINT);
}

bool annotated_end(struct annotated *annotated, struct err *err)
{
    struct err broken = {""};
    if (!annotated)
        return true;
    annotate_simos(annotated->annotate, ANNOTATE_EXIT);
    struct services *services = annotate_services(annotated->annotate);
    if (services && !services_check(services, &broken))
        log_bug("%s", broken.text);
    if (annotate_has_results(annotated->annotate))
        stats_json(annotated->machine->stats, "annotations", "what annotations have collected", write_json, annotated);
    return !annotate_failed(annotated->annotate, err);
}

void annotated_print(struct annotated *annotated, FILE *out)
{
    if (annotated && annotated->annotate)
        annotate_print(annotated->annotate, out);
}
