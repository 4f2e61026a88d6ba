#include "annotations/tcl/annotate_state.h"
#include "annotations/symbols/code_locations.h"
#include "annotations/tcl/data_describe.h"
#include "annotations/symbols/data_kinds.h"
#include "annotations/symbols/modules.h"
#include "annotations/accounts/statistics.h"
#include "annotations/accounts/timing_trees.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int annotate_error(struct annotate *annotate, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    Tcl_SetObjResult(annotate->interp, Tcl_NewStringObj(message, -1));
    return TCL_ERROR;
}

/* Creation and deletion */

/* Identify the user-mode stack of CORE by its process, or by its ASID if the process is unknown. */
static uint32_t user_stack(void *opaque, struct core *core)
{
    struct annotate *annotate = opaque;
    uint32_t task = annotate->services ? services_current_process(annotate->services, core).task : 0;
    return task ? task : 1u + core_asid(core);
}

/* struct guest_view, process. */
static bool current_process(void *opaque, struct core *core, struct guest_process *process)
{
    struct annotate *annotate = opaque;
    if (!annotate->services)
        return false;
    const struct service_process current = services_current_process(annotate->services, core);
    process->task = current.task;
    snprintf(process->name, sizeof process->name, "%s", current.name);
    return true;
}

struct annotate *annotate_create(Tcl_Interp *interp, const struct machine_view *machine,
                                 const struct annotate_host *host)
{
    struct annotate *annotate = checked_memory(calloc(1, sizeof *annotate));
    annotate->interp = interp;
    guest_view_init(&annotate->view, machine, current_process, annotate);
    annotate->host = *host;
    annotate->last = &annotate->annotations;
    annotate->core = machine->cores[0];
    annotate->events = events_create(&annotate->view.machine);
    annotate->returns = returns_create(&annotate->view.machine, user_stack, annotate);
    return annotate;
}

static void free_annotation(struct annotation *annotation)
{
    Tcl_DecrRefCount(annotation->body);
    free(annotation->locations);
    address_list_release(&annotation->addresses);
    free(annotation);
}

void annotate_free(struct annotate *annotate)
{
    if (!annotate)
        return;
    annotate_drop_variables(annotate);
    for (struct annotation *at = annotate->annotations; at; at = at->next) {
        at->deleted = true;
        annotate_rearm(annotate, at);
    }
    annotate->depth = 0;
    annotate->any_deleted = true;
    annotate_free_deleted(annotate);
    devices_unwatch(annotate);
    free(annotate->on_miss);
    while (annotate->types) {
        struct user_type *type = annotate->types;
        annotate->types = type->next;
        Tcl_DecrRefCount(type->events);
        free(type);
    }
    call_costs_end(annotate->calls);
    annotate_stop_naming_profiles(annotate);
    data_kinds_free(annotate->data_kinds);
    guest_view_release(&annotate->view);
    timing_trees_free(annotate->timing);
    statistics_free(annotate->statistics);
    analysers_free(annotate->analysers);
    automata_free(annotate->automata);
    services_free(annotate->services);
    returns_free(annotate->returns);
    events_free(annotate->events);
    free(annotate);
}

struct data_kinds *annotate_data_kinds(struct annotate *annotate)
{
    if (!annotate->data_kinds)
        annotate->data_kinds = data_kinds_create(guest_view_kernel(&annotate->view));
    return annotate->data_kinds;
}

void annotate_set_script(struct annotate *annotate, const char *name)
{
    snprintf(annotate->script, sizeof annotate->script, "%s", name);
}

int annotate_use_library(struct annotate *annotate, const char *name)
{
    const struct annotate_library *library = annotate_libraries;
    if (strcmp(name, "layout") == 0)
        return annotate_read_layouts(annotate);
    while (library->name && strcmp(library->name, name) != 0)
        library++;
    if (library->name)
        return Tcl_EvalEx(annotate->interp, library->text, -1, TCL_EVAL_GLOBAL);
    Tcl_Obj *list = Tcl_NewStringObj("layout", -1);
    for (library = annotate_libraries; library->name; library++)
        Tcl_AppendStringsToObj(list, ", ", library->name, NULL);
    int code = annotate_error(annotate, "no library \"%.64s\"; available: %s", name, Tcl_GetString(list));
    Tcl_DecrRefCount(list);
    return code;
}

int annotate_need_layout(struct annotate *annotate)
{
    uint32_t size;
    return layout_size(&annotate->view, "page", &size) ? TCL_OK : annotate_use_library(annotate, "layout");
}

int library_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    if (count == 2)
        return annotate_use_library(data, Tcl_GetString(words[1]));
    Tcl_WrongNumArgs(interp, 1, words, "NAME");
    return TCL_ERROR;
}

/* Write a line to stderr, like the simulator's own messages. */
int log_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)data;
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "TEXT");
        return TCL_ERROR;
    }
    fprintf(stderr, "%s\n", Tcl_GetString(words[1]));
    Tcl_ResetResult(interp);
    return TCL_OK;
}

bool annotate_is_running(const struct annotate *annotate)
{
    return annotate && annotate->depth > 0;
}

void annotate_request_exit(struct annotate *annotate, unsigned status)
{
    annotate->host.stop(annotate->host.opaque, status);
}

/* Bodies */

bool annotate_was_unwound(struct annotate *annotate, int code)
{
    if (code == TCL_ERROR && annotate->host.ending && annotate->host.ending(annotate->host.opaque))
        annotate->unwound = true;
    return annotate->unwound;
}

void annotate_resume(struct annotate *annotate)
{
    annotate->unwound = false;
}

static const char *type_name(const struct annotation *annotation)
{
    return annotation->user_type[0] ? annotation->user_type : annotation->type->name;
}

static void fail(struct annotate *annotate, const struct annotation *annotation)
{
    int line = annotation->line + Tcl_GetErrorLine(annotate->interp) - 1;
    err_set(&annotate->failure, "%.128s, line %d: annotation %.32s%s%.64s: %.256s", annotation->file, line,
            type_name(annotation), annotation->event[0] ? " " : "", annotation->event,
            Tcl_GetStringResult(annotate->interp));
    annotate->host.fail(annotate->host.opaque, &annotate->failure);
}

static bool passes_filters(const struct annotate *annotate, const struct annotation *annotation, struct core *core)
{
    if (!annotation->enabled || annotation->deleted || !(annotation->cpus >> core->number & 1))
        return false;
    if (!annotation->process[0])
        return true;
    return annotate->services &&
           strcmp(services_current_process(annotate->services, core).name, annotation->process) == 0;
}

/* Run the body, regardless of -every. */
static void run_body(struct annotate *annotate, struct annotation *annotation, struct core *core)
{
    struct core *before = annotate->core;
    Tcl_Obj *body = annotation->body;
    if (annotate->unwound)
        return;
    annotation->runs++;
    if (annotation->once) {
        annotation->deleted = annotate->any_deleted = true;
        annotate_rearm(annotate, annotation);
    }
    if (annotation->counts_only)
        return;
    annotate->core = core;
    annotate->host.select(annotate->host.opaque, core->number);
    annotate->depth++;
    Tcl_IncrRefCount(body);
    int code = Tcl_EvalObjEx(annotate->interp, body, TCL_EVAL_GLOBAL);
    if (code == TCL_ERROR && !annotate_was_unwound(annotate, code))
        fail(annotate, annotation);
    Tcl_DecrRefCount(body);
    annotate->depth--;
    annotate->core = before;
    annotate->host.select(annotate->host.opaque, before->number);
    miss_remove_disarmed(annotate);
}

void annotate_fire(struct annotate *annotate, struct annotation *annotation, struct core *core)
{
    if (annotate->failure.text[0] || !passes_filters(annotate, annotation, core))
        return;
    if (++annotation->count % annotation->every == 0)
        run_body(annotate, annotation, core);
}

bool annotate_failed(const struct annotate *annotate, struct err *err)
{
    if (annotate->failure.text[0])
        *err = annotate->failure;
    return annotate->failure.text[0];
}

void annotate_rearm(struct annotate *annotate, struct annotation *annotation)
{
    bool wanted = annotation->enabled && !annotation->deleted;
    if (wanted == annotation->armed)
        return;
    annotation->armed = wanted;
    if (wanted && annotation->type->arm)
        annotation->type->arm(annotate, annotation);
    if (!wanted && annotation->type->disarm)
        annotation->type->disarm(annotate, annotation);
}

void annotate_free_deleted(struct annotate *annotate)
{
    miss_remove_disarmed(annotate);
    if (annotate->depth > 0 || !annotate->any_deleted)
        return;
    annotate->any_deleted = false;
    struct annotation **at = &annotate->annotations;
    while (*at) {
        struct annotation *annotation = *at;
        if (!annotation->deleted) {
            at = &annotation->next;
            continue;
        }
        *at = annotation->next;
        free_annotation(annotation);
    }
    annotate->last = at;
}

/* Events raised by the owner */

void annotate_raise_simos(struct annotate *annotate, enum annotate_raise_simos event)
{
    annotate_raise(annotate, EVENT_SIMOS, event, annotate->core);
    annotate_free_deleted(annotate);
}

void annotate_raise_mark(struct annotate *annotate, const char *name)
{
    annotate_raise_text(annotate, EVENT_MARK, name, annotate->core);
}

void annotate_console_byte(struct annotate *annotate, uint8_t byte)
{
    if (byte != '\n') {
        if (byte >= ' ' && annotate->line_length < sizeof annotate->line - 1)
            annotate->line[annotate->line_length++] = (char)byte;
        return;
    }
    annotate->line[annotate->line_length] = '\0';
    annotate->line_length = 0;
    annotate_raise_text(annotate, EVENT_CONSOLE, annotate->line, annotate->core);
}

/* Triggers at times and instruction counts */

void annotate_next_trigger(const struct annotate *annotate, cycles *time, uint64_t *insns)
{
    for (const struct annotation *at = annotate->annotations; at; at = at->next) {
        const enum annotation_clock clock = at->armed ? at->type->clock : CLOCK_NONE;
        if (clock == CLOCK_CYCLES && at->trigger < *time)
            *time = at->trigger;
        if (clock == CLOCK_INSNS && at->trigger < *insns)
            *insns = at->trigger;
    }
}

/* Set the next trigger of a repeating annotation, after PRESENT. */
static void set_next_trigger(struct annotation *annotation, uint64_t present)
{
    uint64_t step = annotation->every;
    annotation->trigger += (present - annotation->trigger) / step * step;
    if (annotation->trigger > UINT64_MAX - step)
        annotation->trigger = UINT64_MAX;
    else
        annotation->trigger += step;
}

void annotate_run_due(struct annotate *annotate)
{
    for (struct annotation *at = annotate->annotations; at; at = at->next) {
        if (!at->armed || at->type->clock == CLOCK_NONE)
            continue;
        uint64_t present = at->type->clock == CLOCK_INSNS ? annotate->host.insns(annotate->host.opaque)
                                                          : annotate->host.now(annotate->host.opaque);
        if (present < at->trigger)
            continue;
        at->count++;
        if (!at->once)
            set_next_trigger(at, present);
        if (!annotate->failure.text[0])
            run_body(annotate, at, annotate->core);
    }
    annotate_free_deleted(annotate);
}

/* Symbols of programs and modules */

bool annotate_find_address(struct annotate *annotate, const char *text, vaddr *address, struct err *err)
{
    return annotate_resolve_fixed(annotate, text, address, err);
}

int annotate_symbol_command(struct annotate *annotate, int count, Tcl_Obj *const words[])
{
    if (strcmp(Tcl_GetString(words[0]), "data") == 0)
        return data_describe_command(annotate, count - 1, words + 1);
    return programs_command(annotate, count, words);
}

bool annotate_add_symbols(struct annotate *annotate, const char *folder, struct err *err)
{
    return programs_add_folder(&annotate->view, folder, err);
}

bool annotate_user_symbol(struct annotate *annotate, struct core *core, vaddr address, char *text, size_t size)
{
    return annotate && (vaddr_in_kuseg(address) ? programs_symbol_text(&annotate->view, core, address, text, size)
                                                : modules_symbol_text(&annotate->view, core, address, text, size));
}

/* Results */

struct services *annotate_services(const struct annotate *annotate)
{
    return annotate->services;
}

struct analysers *annotate_analysers(const struct annotate *annotate)
{
    return annotate->analysers;
}

void annotate_reset_statistics(struct annotate *annotate)
{
    if (annotate->services)
        services_reset(annotate->services);
    automata_reset(annotate->automata);
    analysers_reset(annotate->analysers);
    timing_trees_reset(annotate->timing);
    statistics_reset(annotate->statistics);
    if (annotate->calls)
        call_costs_reset(annotate->calls);
}

bool annotate_has_results(const struct annotate *annotate)
{
    return annotate->services || automata_any(annotate->automata) || analysers_any(annotate->analysers) ||
           timing_trees_any(annotate->timing) || statistics_any(annotate->statistics);
}

void annotate_print(struct annotate *annotate, FILE *out)
{
    if (annotate->services)
        services_print(annotate->services, out);
    automata_print(annotate->automata, out);
    analysers_print(annotate->analysers, out);
    timing_trees_print(annotate->timing, NULL, out);
    statistics_print(annotate->statistics, out);
}

void annotate_write_json(struct annotate *annotate, struct json_writer *json)
{
    json_begin_object(json);
    if (annotate->services)
        services_write_json(annotate->services, json);
    if (automata_any(annotate->automata)) {
        json_line(json, 4);
        json_key(json, "automata");
        automata_write_json(annotate->automata, json);
    }
    if (analysers_any(annotate->analysers)) {
        json_line(json, 4);
        json_key(json, "analysers");
        analysers_write_json(annotate->analysers, json);
    }
    if (timing_trees_any(annotate->timing)) {
        json_line(json, 4);
        json_key(json, "timing");
        timing_trees_write_json(annotate->timing, json);
    }
    if (statistics_any(annotate->statistics)) {
        json_line(json, 4);
        json_key(json, "statistics");
        statistics_write_json(annotate->statistics, json);
    }
    json_line(json, 2);
    json_end_object(json);
}
