#include "src/observe/instrument.h"

#include "annotations/services/service_tasks.h"
#include "cache/memsys.h"
#include "cache/observe/observe.h"
#include "cache/observe/trace.h"
#include "src/machine/save_request.h"
#include "src/observe/annotated.h"
#include "src/observe/trace_insns.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

/* A one-shot trigger: an action at the first occurrence of an event of the run. */
struct trigger {
    const char *param;
    bool wanted, fired;
    struct machine_event event;
    void (*action)(struct instrument *instrument);
};
enum {
    TRIGGER_TRACE_START,
    TRIGGER_TRACE_STOP,
    TRIGGER_SWEEP_START,
    TRIGGER_TIMELINE_START,
    TRIGGER_TIMELINE_STOP,
    TRIGGER_VECTORS_START,
    TRIGGER_COUNT
};

/* Instruction counts by CPU and mode at one point of the run. */
struct insns {
    uint64_t count[BOARD_MAX_CPUS][MODE_COUNT];
};

struct instrument {
    struct machine *machine;
    const struct machine_host *host;
    void *host_opaque;
    struct trigger triggers[TRIGGER_COUNT];

    struct trace_writer *trace; /* NULL: no trace */
    struct trace_info info;
    struct trace_filter filter;
    struct observer *trace_observer; /* level 1 and below; NULL: tracing is off */
    struct trace_insns *trace_insns; /* level 0 */
    bool tracing;
    struct insns trace_from;

    struct sweep_study *study; /* NULL: no sweep */
    const char *sweep_counted; /* where counting began, unless sweep.start fired: "power-on", "the checkpoint" ... */
    struct observer *sweep_observer;
    struct insns sweep_from;

    struct annotated *annotated; /* NULL: no annotations */
    struct collect *collect;     /* NULL: no collectors */
    const struct collect_plan *plan;
};

/* Fill in the context of REFERENCE: the CPU's mode, and in user mode the address space as process. */
static void set_context(const struct instrument *instrument, struct reference *reference)
{
    const struct core *core = instrument->machine->cores[reference->cpu];
    reference->mode = core->mode;
    reference->process = core->mode == MODE_USER ? core_asid(core) : 0;
}

/* The number of the process that CORE runs, as the trace has it. */
static uint16_t traced_process(void *opaque, const struct core *core)
{
    const struct instrument *instrument = opaque;
    if (instrument->info.process == TRACE_SPACE)
        return core_asid(core);
    struct core *running = instrument->machine->cores[core->number];
    struct services *services = annotate_services(annotated_annotate(instrument->annotated));
    struct service_process process = services_current_process(services, running);
    if (!process.task) {
        /* the accounting has not seen this CPU enter the kernel yet */
        const vaddr task = task_address(services, running);
        if (task)
            process = services_process_at(services, running, task);
    }
    const unsigned id = instrument->info.process == TRACE_THREAD ? process.pid : process.tgid;
    return id <= UINT16_MAX ? (uint16_t)id : 0;
}

static void read_insns(const struct machine *machine, struct insns *insns)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        core_sync(core);
        core_account(core);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            insns->count[i][mode] = core->mode_buckets[mode].insns;
    }
}

/* Trace */

static void add_to_trace(struct instrument *instrument, const struct reference *reference)
{
    if (trace_filter_passes(&instrument->filter, reference))
        trace_writer_add(instrument->trace, reference);
}

/* Observer of the reference stream for the trace. It denies the fast path (PERMIT_NONE) because it must see every
 * reference. */
static void trace_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct instrument *instrument = opaque;
    set_context(instrument, reference);
    if (instrument->info.process != TRACE_SPACE)
        reference->process = traced_process(instrument, instrument->machine->cores[reference->cpu]);
    add_to_trace(instrument, reference);
    if (permission)
        *permission = PERMIT_NONE;
    if (trace_writer_failed(instrument->trace))
        machine_request_stop(instrument->machine);
}

/* An instruction, its access or an exception, for a trace of level 0. */
static void trace_insn(void *opaque, const struct reference *reference)
{
    struct instrument *instrument = opaque;
    add_to_trace(instrument, reference);
    if (trace_writer_failed(instrument->trace))
        machine_request_stop(instrument->machine);
}

static void start_trace(struct instrument *instrument)
{
    read_insns(instrument->machine, &instrument->trace_from);
    instrument->tracing = true;
    if (instrument->trace_insns) {
        trace_insns_start(instrument->trace_insns);
        return;
    }
    instrument->trace_observer =
        observe_begin(instrument->machine->memsys, instrument->info.level, trace_reference, instrument);
}

static void stop_trace(struct instrument *instrument)
{
    struct insns now;
    if (!instrument->tracing)
        return;
    instrument->tracing = false;
    observe_end(instrument->trace_observer);
    instrument->trace_observer = NULL;
    if (instrument->trace_insns)
        trace_insns_stop(instrument->trace_insns);
    read_insns(instrument->machine, &now);
    for (unsigned i = 0; i < instrument->machine->cpus; i++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            struct reference insns = {.kind = REFERENCE_INSNS,
                                      .cpu = (uint8_t)i,
                                      .mode = (enum mode)mode,
                                      .insns = now.count[i][mode] - instrument->trace_from.count[i][mode]};
            if (insns.insns)
                add_to_trace(instrument, &insns);
        }
}

/* Sweep */

static void sweep_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct instrument *instrument = opaque;
    set_context(instrument, reference);
    sweep_study_refer(instrument->study, reference, permission);
}

static void start_sweep(struct instrument *instrument)
{
    sweep_study_reset(instrument->study);
    read_insns(instrument->machine, &instrument->sweep_from);
}

/* Start the default counting of a sweep: at power-on, or at the checkpoint of a restored machine. A restored machine
 * has already passed the boot event, so that trigger is disabled. */
static void begin_counting(struct instrument *instrument)
{
    struct trigger *start = &instrument->triggers[TRIGGER_SWEEP_START];
    bool restored = machine_insns(instrument->machine) > 0;
    instrument->sweep_counted = restored ? "the checkpoint" : "power-on";
    start->wanted &= !restored || start->event.kind != MACHINE_EVENT_BOOT;
    read_insns(instrument->machine, &instrument->sweep_from);
}

static bool begin_sweep(struct instrument *instrument, struct err *err)
{
    const struct machine *machine = instrument->machine;
    const struct sweep_source source = {.cpus = machine->cpus,
                                        .clock_hz = machine->queue->clock_hz,
                                        .insn_line = memsys_line(machine->memsys, MEMSYS_L1I),
                                        .data_line = memsys_line(machine->memsys, MEMSYS_L1D),
                                        .has_spaces = true};
    if (!sweep_study_build(instrument->study, machine->params, &source, err))
        return false;
    begin_counting(instrument);
    instrument->sweep_observer = observe_begin(machine->memsys, 1, sweep_reference, instrument);
    return true;
}

static void end_sweep(struct instrument *instrument)
{
    struct insns now;
    struct sweep_study *study = instrument->study;
    const struct trigger *start = &instrument->triggers[TRIGGER_SWEEP_START];
    const char *event = params_string(instrument->machine->params, start->param);
    observe_end(instrument->sweep_observer);
    instrument->sweep_observer = NULL;
    study->complete = true;
    read_insns(instrument->machine, &now);
    for (unsigned i = 0; i < instrument->machine->cpus; i++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            study->insns[mode] += now.count[i][mode] - instrument->sweep_from.count[i][mode];
    const char *from = start->fired ? event : instrument->sweep_counted;
    snprintf(study->counted, sizeof study->counted, "counted from %.200s", from);
    if (start->wanted && !start->fired && !params_is_set(instrument->machine->params, start->param))
        log_info(instrument->machine->log, "%s: the run ended before %s: misses are counted from %s", start->param,
                 event, from);
}

/* Creation */

/* Initialise TRIGGER from the parameter PARAM; its value NEVER means no trigger. */
static bool parse_trigger(struct trigger *trigger, const struct params *params, const char *param, const char *never,
                          void (*action)(struct instrument *instrument), struct err *err)
{
    struct err reason = {""};
    const char *text = params_string(params, param);
    *trigger = (struct trigger){.param = param, .wanted = strcmp(text, never) != 0, .action = action};
    return !trigger->wanted || machine_event_parse(&trigger->event, text, &reason) ||
           err_set(err, "%s: %s, or %s", param, reason.text, never);
}

/* The value of trace.process. */
static enum trace_process process_of_trace(const struct params *params)
{
    return params_is(params, "trace.process", "space")     ? TRACE_SPACE
           : params_is(params, "trace.process", "process") ? TRACE_PROCESS
                                                           : TRACE_THREAD;
}

static bool create_trace(struct instrument *instrument, const char *path, const struct params *params, struct err *err)
{
    enum trace_format format = params_is(params, "trace.format", "din") ? TRACE_DIN : TRACE_BINARY;
    struct trigger *start = &instrument->triggers[TRIGGER_TRACE_START],
                   *stop = &instrument->triggers[TRIGGER_TRACE_STOP];
    if (!trace_filter_from_params(&instrument->filter, params, err) ||
        !parse_trigger(start, params, "trace.start", "power-on", start_trace, err) ||
        !parse_trigger(stop, params, "trace.stop", "end", stop_trace, err))
        return false;
    instrument->info = (struct trace_info){
        .level = (uint8_t)params_u64(params, "trace.level"),
        .cpus = (uint8_t)params_u64(params, "machine.cpus"),
        .times = params_bool(params, "trace.times"),
        .process = process_of_trace(params),
        .whole = !start->wanted && !stop->wanted &&
                 memcmp(&instrument->filter, &trace_filter_all, sizeof instrument->filter) == 0,
    };
    instrument->info.fetch_line = instrument->info.level == 0   ? 4
                                  : instrument->info.level == 1 ? (uint32_t)params_u64(params, "cache.l1i.line")
                                                                : 0;
    instrument->info.is_mips1 = instrument->info.level == 0 && machine_architecture(params)->level == LEVEL_1;
    instrument->trace = trace_writer_create(path, format, &instrument->info, err);
    return instrument->trace != NULL;
}

static void start_timeline(struct instrument *instrument)
{
    collect_start_timeline(instrument->collect);
}

static void stop_timeline(struct instrument *instrument)
{
    collect_stop_timeline(instrument->collect);
}

static void start_vectors(struct instrument *instrument)
{
    collect_start_vectors(instrument->collect);
}

/* Create the collectors of PLAN and their triggers. */
static void create_collect(struct instrument *instrument, const struct collect_plan *plan)
{
    if (!collect_is_wanted(plan))
        return;
    instrument->collect = collect_create(plan);
    instrument->triggers[TRIGGER_TIMELINE_START] = (struct trigger){
        .param = "--timeline, from", .wanted = plan->from_wanted, .event = plan->from, .action = start_timeline};
    instrument->triggers[TRIGGER_TIMELINE_STOP] = (struct trigger){
        .param = "--timeline, to", .wanted = plan->to_wanted, .event = plan->to, .action = stop_timeline};
    instrument->triggers[TRIGGER_VECTORS_START] = (struct trigger){.param = "--bbv, from",
                                                                   .wanted = plan->vectors_from_wanted,
                                                                   .event = plan->vectors_from,
                                                                   .action = start_vectors};
}

bool instrument_create(struct instrument **instrument, const char *trace_path, struct sweep_study *study,
                       const char *script, const struct annotated_interpreter *interpreter,
                       const struct collect_plan *plan, const struct params *params, struct err *err)
{
    *instrument = NULL;
    const bool names = collect_needs_names(plan);
    if (!script && *params_string(params, "whatif.free"))
        script = "cycles";
    if (!trace_path && !study && !script && !collect_is_wanted(plan) && !names)
        return true;
    const bool services = collect_needs_services(plan) || (trace_path && process_of_trace(params) != TRACE_SPACE);
    if (!script && (services || names))
        script = services ? "services" : "layout";
    struct instrument *new = checked_memory(calloc(1, sizeof *new));
    new->study = study;
    new->plan = plan;
    create_collect(new, plan);
    if ((!study ||
         parse_trigger(&new->triggers[TRIGGER_SWEEP_START], params, "sweep.start", "power-on", start_sweep, err)) &&
        (!trace_path || create_trace(new, trace_path, params, err)) &&
        annotated_create(&new->annotated, script, interpreter, err)) {
        *instrument = new;
        return true;
    }
    instrument_free(new);
    return false;
}

void instrument_free(struct instrument *instrument)
{
    if (!instrument)
        return;
    observe_end(instrument->trace_observer);
    trace_insns_free(instrument->trace_insns);
    observe_end(instrument->sweep_observer);
    if (instrument->trace)
        trace_writer_close(instrument->trace, NULL);
    collect_free(instrument->collect);
    annotated_free(instrument->annotated);
    free(instrument);
}

/* Triggers */

static void fire(struct instrument *instrument, struct trigger *trigger)
{
    trigger->fired = true;
    trigger->action(instrument);
}

/* An event of KIND (and, for a mark, NAME) has occurred: fire the triggers that wait for it. */
static void fire_event(struct instrument *instrument, enum machine_event_kind kind, const char *name)
{
    for (unsigned i = 0; i < TRIGGER_COUNT; i++) {
        struct trigger *trigger = &instrument->triggers[i];
        if (trigger->wanted && !trigger->fired && trigger->event.kind == kind &&
            (kind != MACHINE_EVENT_MARK || strcmp(trigger->event.mark, name) == 0))
            fire(instrument, trigger);
    }
}

static cycles time_of(const struct instrument *instrument, const struct trigger *trigger)
{
    return machine_event_time(&trigger->event, instrument->machine->queue->clock_hz);
}

/* Fire the triggers that are due by time or instruction count, and lower LIMITS to the next such trigger. */
static void fire_due_triggers(struct instrument *instrument, struct machine_limits *limits)
{
    for (unsigned i = 0; i < TRIGGER_COUNT; i++) {
        struct trigger *trigger = &instrument->triggers[i];
        if (!trigger->wanted || trigger->fired)
            continue;
        if (trigger->event.kind == MACHINE_EVENT_TIME) {
            if (machine_now(instrument->machine) >= time_of(instrument, trigger))
                fire(instrument, trigger);
            else if (time_of(instrument, trigger) < limits->time)
                limits->time = time_of(instrument, trigger);
        } else if (trigger->event.kind == MACHINE_EVENT_INSNS) {
            if (machine_insns(instrument->machine) >= trigger->event.insns)
                fire(instrument, trigger);
            else if (trigger->event.insns < limits->insns)
                limits->insns = trigger->event.insns;
        }
    }
}

enum machine_stop instrument_run(struct instrument *instrument, struct machine *machine,
                                 const struct machine_limits *limits)
{
    if (!instrument)
        return save_request_run(machine, limits);
    for (;;) {
        struct machine_limits next = *limits;
        fire_due_triggers(instrument, &next);
        collect_sample(instrument->collect);
        collect_next(instrument->collect, &next.time, &next.insns);
        enum machine_stop reason = annotated_run(annotated_annotate(instrument->annotated), machine, &next);
        bool ours = (reason == MACHINE_STOP_TIME && next.time < limits->time) ||
                    (reason == MACHINE_STOP_INSNS && next.insns < limits->insns);
        if (!ours)
            return reason;
    }
}

/* The interposed host interface */

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct instrument *instrument = opaque;
    struct annotate *annotate = annotated_annotate(instrument->annotated);
    if (instrument->host->uart_output)
        instrument->host->uart_output(instrument->host_opaque, uart, byte);
    if (uart == 0 && annotate)
        annotate_console_byte(annotate, byte);
}

static void userland_up(void *opaque)
{
    struct instrument *instrument = opaque;
    struct annotate *annotate = annotated_annotate(instrument->annotated);
    fire_event(instrument, MACHINE_EVENT_BOOT, NULL);
    if (annotate)
        annotate_raise_simos(annotate, ANNOTATE_BOOT);
    if (instrument->host->userland_up)
        instrument->host->userland_up(instrument->host_opaque);
}

static void mark(void *opaque, const char *name)
{
    struct instrument *instrument = opaque;
    struct annotate *annotate = annotated_annotate(instrument->annotated);
    fire_event(instrument, MACHINE_EVENT_MARK, name);
    if (annotate)
        annotate_raise_mark(annotate, name);
    collect_mark(instrument->collect, name);
    if (instrument->host->mark)
        instrument->host->mark(instrument->host_opaque, name);
}

static void poll_host(void *opaque)
{
    struct instrument *instrument = opaque;
    if (instrument->host->poll)
        instrument->host->poll(instrument->host_opaque);
}

static void about_to_sleep(void *opaque)
{
    struct instrument *instrument = opaque;
    if (instrument->host->sleep)
        instrument->host->sleep(instrument->host_opaque);
}

static const struct machine_host interposed_host = {
    .uart_output = uart_output, .userland_up = userland_up, .mark = mark, .poll = poll_host, .sleep = about_to_sleep};

const struct machine_host *instrument_host(struct instrument *instrument, const struct machine_host *host, void *opaque)
{
    if (!instrument)
        return host;
    instrument->host = host;
    instrument->host_opaque = opaque;
    return &interposed_host;
}

void *instrument_host_opaque(struct instrument *instrument, void *opaque)
{
    return instrument ? instrument : opaque;
}

bool instrument_begin(struct instrument *instrument, struct machine *machine, struct end_signals *signals,
                      struct err *err)
{
    if (!instrument)
        return true;
    instrument->machine = machine;
    if (!annotated_begin(instrument->annotated, machine, signals, err) ||
        !annotated_add_services(instrument->annotated,
                                collect_wants_services(instrument->collect) || instrument->info.process != TRACE_SPACE,
                                err))
        return false;
    if (collect_needs_names(instrument->plan) &&
        !annotated_add_names(instrument->annotated, instrument->plan->symbols, instrument->plan->symbol_count,
                             instrument->plan->profile, err))
        return false;
    if (!annotated_set_whatif(instrument->annotated, err) ||
        !collect_begin(instrument->collect, machine, annotated_annotate(instrument->annotated), err))
        return false;
    if (!instrument->trace && !instrument->study)
        return true;
    const bool of_insns = instrument->trace && instrument->info.level == 0;
    if (of_insns &&
        !(instrument->trace_insns = trace_insns_create(machine, trace_insn, traced_process, instrument, err)))
        return false;
    if (memsys_is_flat(machine->memsys) && (instrument->study || !of_insns))
        return err_set(err, "cache.model: \"none\": a trace of level 1 and above, or a sweep, needs caches");
    if (instrument->trace && !instrument->triggers[TRIGGER_TRACE_START].wanted)
        start_trace(instrument);
    return !instrument->study || begin_sweep(instrument, err);
}

void instrument_reset(struct instrument *instrument)
{
    struct annotate *annotate = instrument ? annotated_annotate(instrument->annotated) : NULL;
    if (annotate)
        annotate_reset_statistics(annotate);
    if (instrument && instrument->study) {
        instrument->triggers[TRIGGER_SWEEP_START].wanted = false;
        instrument->sweep_counted = "the end of the warm-up";
        start_sweep(instrument);
    }
    if (instrument)
        collect_reset(instrument->collect);
}

void instrument_checkpoint(struct instrument *instrument)
{
    struct annotate *annotate = instrument ? annotated_annotate(instrument->annotated) : NULL;
    if (annotate)
        annotate_raise_simos(annotate, ANNOTATE_CHECKPOINT);
}

void instrument_write_members(const struct instrument *instrument, struct json_writer *json)
{
    if (!instrument)
        return;
    annotated_write_member(instrument->annotated, json);
    collect_write_member(instrument->collect, json);
}

bool instrument_print(struct instrument *instrument, FILE *out, struct err *err)
{
    return !instrument || annotated_print(instrument->annotated, out, err);
}

bool instrument_next_missed(const struct instrument *instrument, unsigned *index, struct err *err)
{
    while (instrument && instrument->machine && *index < TRIGGER_COUNT) {
        const unsigned i = (*index)++;
        const struct trigger *trigger = &instrument->triggers[i];
        char text[MACHINE_EVENT_TEXT_SIZE];
        if (!trigger->wanted || trigger->fired)
            continue;
        if (i == TRIGGER_SWEEP_START && !params_is_set(instrument->machine->params, trigger->param))
            continue; /* its default: end_sweep() has said what is counted instead */
        machine_event_text(&trigger->event, text);
        err_set(err, "%s: the run ended before %.200s", trigger->param, text);
        return true;
    }
    if (instrument && instrument->machine && *index == TRIGGER_COUNT) {
        (*index)++;
        return collect_is_short(instrument->collect, err);
    }
    return false;
}

bool instrument_save(const struct instrument *instrument, struct err *err)
{
    return !instrument || collect_save(instrument->collect, err);
}

bool instrument_end(struct instrument *instrument, struct err *err)
{
    if (!instrument)
        return true;
    collect_end(instrument->collect);
    if (!annotated_end(instrument->annotated, err))
        return false;
    if (instrument->study)
        end_sweep(instrument);
    if (!instrument->trace)
        return true;
    stop_trace(instrument);
    struct trace_writer *trace = instrument->trace;
    instrument->trace = NULL;
    const struct trigger *start = &instrument->triggers[TRIGGER_TRACE_START];
    if (trace_writer_count(trace) == 0 && !trace_writer_failed(trace) && (!start->wanted || start->fired))
        log_info(instrument->machine->log, "--trace: the file has no references");
    return trace_writer_close(trace, err);
}
