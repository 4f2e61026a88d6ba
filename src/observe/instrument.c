#include "src/observe/instrument.h"

#include "cache/memsys.h"
#include "cache/observe/observe.h"
#include "cache/observe/trace.h"
#include "src/observe/annotated.h"
#include "src/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A one-shot trigger: an action at the first occurrence of an event of the run. */
struct trigger {
    const char *param;
    bool wanted, fired;
    struct machine_event event;
    void (*action)(struct instrument *watch);
};
enum {
    TRIGGER_TRACE_START,
    TRIGGER_TRACE_STOP,
    TRIGGER_SWEEP_START,
    TRIGGER_TIMELINE_START,
    TRIGGER_TIMELINE_STOP,
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
    struct observer *trace_observer; /* NULL: tracing is off */
    struct insns trace_from;

    struct sweep_study *study; /* NULL: no sweep */
    const char *sweep_counted; /* where counting began, unless sweep.start fired: "power-on", "the checkpoint" ... */
    struct observer *sweep_observer;
    struct insns sweep_from;

    struct annotated *annotated; /* NULL: no annotations */
    struct collect *collect;     /* NULL: no collectors */
    const struct collect_plan *plan;
};

/* Fill in the context of REFERENCE: the CPU's mode, and in user mode the ASID as process. */
static void set_context(const struct instrument *watch, struct reference *reference)
{
    const struct core *core = watch->machine->cores[reference->cpu];
    reference->mode = core->mode;
    reference->process = core->mode == MODE_USER ? (uint16_t)(core->s.cp0[CP0_ENTRYHI] & 0xff) : 0;
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

static void add_to_trace(struct instrument *watch, const struct reference *reference)
{
    if (trace_filter_passes(&watch->filter, reference))
        trace_writer_add(watch->trace, reference);
}

/* Observer of the reference stream for the trace. It denies the fast path (PERMIT_NONE) because it must see every
 * reference. */
static void trace_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct instrument *watch = opaque;
    set_context(watch, reference);
    add_to_trace(watch, reference);
    if (permission)
        *permission = PERMIT_NONE;
    if (trace_writer_failed(watch->trace))
        machine_request_stop(watch->machine);
}

static void start_trace(struct instrument *watch)
{
    read_insns(watch->machine, &watch->trace_from);
    watch->trace_observer = observe_begin(watch->machine->memsys, watch->info.level, trace_reference, watch);
}

static void stop_trace(struct instrument *watch)
{
    struct insns now;
    if (!watch->trace_observer)
        return;
    observe_end(watch->trace_observer);
    watch->trace_observer = NULL;
    read_insns(watch->machine, &now);
    for (unsigned i = 0; i < watch->machine->cpus; i++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            struct reference insns = {.kind = REFERENCE_INSNS,
                                      .cpu = (uint8_t)i,
                                      .mode = (enum mode)mode,
                                      .insns = now.count[i][mode] - watch->trace_from.count[i][mode]};
            if (insns.insns)
                add_to_trace(watch, &insns);
        }
}

/* Sweep */

static void sweep_reference(void *opaque, struct reference *reference, uint8_t *permission)
{
    struct instrument *watch = opaque;
    set_context(watch, reference);
    sweep_study_refer(watch->study, reference, permission);
}

static void start_sweep(struct instrument *watch)
{
    sweep_study_reset(watch->study);
    read_insns(watch->machine, &watch->sweep_from);
}

/* Start the default counting of a sweep: at power-on, or at the checkpoint of a restored machine. A restored machine
 * has already passed the boot event, so that trigger is disabled. */
static void begin_counting(struct instrument *watch)
{
    struct trigger *start = &watch->triggers[TRIGGER_SWEEP_START];
    bool restored = machine_insns(watch->machine) > 0;
    watch->sweep_counted = restored ? "the checkpoint" : "power-on";
    start->wanted &= !restored || start->event.kind != MACHINE_EVENT_BOOT;
    read_insns(watch->machine, &watch->sweep_from);
}

static bool begin_sweep(struct instrument *watch, struct err *err)
{
    const struct machine *machine = watch->machine;
    const struct sweep_source source = {.cpus = machine->cpus,
                                        .clock_hz = machine->queue->clock_hz,
                                        .insn_line = memsys_line(machine->memsys, MEMSYS_L1I),
                                        .data_line = memsys_line(machine->memsys, MEMSYS_L1D),
                                        .has_spaces = true};
    if (!sweep_study_build(watch->study, machine->params, &source, err))
        return false;
    begin_counting(watch);
    watch->sweep_observer = observe_begin(machine->memsys, 1, sweep_reference, watch);
    return true;
}

static void end_sweep(struct instrument *watch)
{
    struct insns now;
    struct sweep_study *study = watch->study;
    const struct trigger *start = &watch->triggers[TRIGGER_SWEEP_START];
    const char *event = params_string(watch->machine->params, start->param);
    observe_end(watch->sweep_observer);
    watch->sweep_observer = NULL;
    study->complete = true;
    read_insns(watch->machine, &now);
    for (unsigned i = 0; i < watch->machine->cpus; i++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            study->insns[mode] += now.count[i][mode] - watch->sweep_from.count[i][mode];
    const char *from = start->fired ? event : watch->sweep_counted;
    snprintf(study->counted, sizeof study->counted, "counted from %.200s", from);
    if (start->wanted && !start->fired && !params_is_set(watch->machine->params, start->param))
        log_info(watch->machine->log, "%s: the run ended before %s: misses are counted from %s", start->param, event,
                 from);
}

/* Creation */

/* Initialise TRIGGER from the parameter PARAM; its value NEVER means no trigger. */
static bool parse_trigger(struct trigger *trigger, const struct params *params, const char *param, const char *never,
                          void (*action)(struct instrument *watch), struct err *err)
{
    struct err reason = {""};
    const char *text = params_string(params, param);
    *trigger = (struct trigger){.param = param, .wanted = strcmp(text, never) != 0, .action = action};
    return !trigger->wanted || machine_event_parse(&trigger->event, text, &reason) ||
           err_set(err, "%s: %s, or %s", param, reason.text, never);
}

static bool create_trace(struct instrument *watch, const char *path, const struct params *params, struct err *err)
{
    enum trace_format format = strcmp(params_string(params, "trace.format"), "din") == 0 ? TRACE_DIN : TRACE_BINARY;
    struct trigger *start = &watch->triggers[TRIGGER_TRACE_START], *stop = &watch->triggers[TRIGGER_TRACE_STOP];
    if (!trace_filter_from_params(&watch->filter, params, err) ||
        !parse_trigger(start, params, "trace.start", "power-on", start_trace, err) ||
        !parse_trigger(stop, params, "trace.stop", "end", stop_trace, err))
        return false;
    watch->info = (struct trace_info){
        .level = (uint8_t)params_u64(params, "trace.level"),
        .cpus = (uint8_t)params_u64(params, "machine.cpus"),
        .times = params_bool(params, "trace.times"),
        .whole =
            !start->wanted && !stop->wanted && memcmp(&watch->filter, &trace_filter_all, sizeof watch->filter) == 0,
    };
    watch->info.fetch_line = watch->info.level == 1 ? (uint32_t)params_u64(params, "cache.l1i.line") : 0;
    watch->trace = trace_writer_create(path, format, &watch->info, err);
    return watch->trace != NULL;
}

static void start_timeline(struct instrument *watch)
{
    collect_start_timeline(watch->collect);
}

static void stop_timeline(struct instrument *watch)
{
    collect_stop_timeline(watch->collect);
}

/* Create the collectors of PLAN and the triggers of the time line. */
static void create_collect(struct instrument *watch, const struct collect_plan *plan)
{
    if (!collect_is_wanted(plan))
        return;
    watch->collect = collect_create(plan);
    watch->triggers[TRIGGER_TIMELINE_START] = (struct trigger){
        .param = "--timeline, from", .wanted = plan->from_wanted, .event = plan->from, .action = start_timeline};
    watch->triggers[TRIGGER_TIMELINE_STOP] = (struct trigger){
        .param = "--timeline, to", .wanted = plan->to_wanted, .event = plan->to, .action = stop_timeline};
}

bool instrument_create(struct instrument **watch, const char *trace_path, struct sweep_study *study, const char *script,
                       const struct annotated_interpreter *interpreter, const struct collect_plan *plan,
                       const struct params *params, struct err *err)
{
    *watch = NULL;
    const bool names = collect_needs_names(plan);
    if (!trace_path && !study && !script && !collect_is_wanted(plan) && !names)
        return true;
    if (!script && (collect_needs_services(plan) || names))
        script = collect_needs_services(plan) ? "services" : "layout";
    struct instrument *new = calloc(1, sizeof *new);
    if (!new)
        log_bug("out of memory");
    new->study = study;
    new->plan = plan;
    create_collect(new, plan);
    if ((!study ||
         parse_trigger(&new->triggers[TRIGGER_SWEEP_START], params, "sweep.start", "power-on", start_sweep, err)) &&
        (!trace_path || create_trace(new, trace_path, params, err)) &&
        annotated_create(&new->annotated, script, interpreter, err)) {
        *watch = new;
        return true;
    }
    instrument_free(new);
    return false;
}

void instrument_free(struct instrument *watch)
{
    if (!watch)
        return;
    observe_end(watch->trace_observer);
    observe_end(watch->sweep_observer);
    if (watch->trace)
        trace_writer_close(watch->trace, NULL);
    collect_free(watch->collect);
    annotated_free(watch->annotated);
    free(watch);
}

/* Triggers */

static void fire(struct instrument *watch, struct trigger *trigger)
{
    trigger->fired = true;
    trigger->action(watch);
}

/* An event of KIND (and, for a mark, NAME) has occurred: fire the triggers that wait for it. */
static void fire_event(struct instrument *watch, enum machine_event_kind kind, const char *name)
{
    for (unsigned i = 0; i < TRIGGER_COUNT; i++) {
        struct trigger *trigger = &watch->triggers[i];
        if (trigger->wanted && !trigger->fired && trigger->event.kind == kind &&
            (kind != MACHINE_EVENT_MARK || strcmp(trigger->event.mark, name) == 0))
            fire(watch, trigger);
    }
}

static cycles time_of(const struct instrument *watch, const struct trigger *trigger)
{
    double time = round(trigger->event.seconds * (double)watch->machine->queue->clock_hz);
    return time >= 1e19 ? CYCLES_NEVER : (cycles)time;
}

/* Fire the triggers that are due by time or instruction count, and lower LIMITS to the next such trigger. */
static void fire_due_triggers(struct instrument *watch, struct machine_limits *limits)
{
    for (unsigned i = 0; i < TRIGGER_COUNT; i++) {
        struct trigger *trigger = &watch->triggers[i];
        if (!trigger->wanted || trigger->fired)
            continue;
        if (trigger->event.kind == MACHINE_EVENT_TIME) {
            if (machine_now(watch->machine) >= time_of(watch, trigger))
                fire(watch, trigger);
            else if (time_of(watch, trigger) < limits->time)
                limits->time = time_of(watch, trigger);
        } else if (trigger->event.kind == MACHINE_EVENT_INSNS) {
            if (machine_insns(watch->machine) >= trigger->event.insns)
                fire(watch, trigger);
            else if (trigger->event.insns < limits->insns)
                limits->insns = trigger->event.insns;
        }
    }
}

enum machine_stop instrument_run(struct instrument *watch, struct machine *machine, const struct machine_limits *limits)
{
    if (!watch)
        return machine_run(machine, limits);
    for (;;) {
        struct machine_limits next = *limits;
        fire_due_triggers(watch, &next);
        collect_sample(watch->collect);
        collect_next_time(watch->collect, &next.time);
        enum machine_stop reason = annotated_run(annotated_annotate(watch->annotated), machine, &next);
        bool ours = (reason == MACHINE_STOP_TIME && next.time < limits->time) ||
                    (reason == MACHINE_STOP_INSNS && next.insns < limits->insns);
        if (!ours)
            return reason;
    }
}

/* The interposed host interface */

static void uart_output(void *opaque, unsigned uart, uint8_t byte)
{
    struct instrument *watch = opaque;
    struct annotate *annotate = annotated_annotate(watch->annotated);
    if (watch->host->uart_output)
        watch->host->uart_output(watch->host_opaque, uart, byte);
    if (uart == 0 && annotate)
        annotate_console_byte(annotate, byte);
}

static void userland_up(void *opaque)
{
    struct instrument *watch = opaque;
    struct annotate *annotate = annotated_annotate(watch->annotated);
    fire_event(watch, MACHINE_EVENT_BOOT, NULL);
    if (annotate)
        annotate_raise_simos(annotate, ANNOTATE_BOOT);
    if (watch->host->userland_up)
        watch->host->userland_up(watch->host_opaque);
}

static void mark(void *opaque, const char *name)
{
    struct instrument *watch = opaque;
    struct annotate *annotate = annotated_annotate(watch->annotated);
    fire_event(watch, MACHINE_EVENT_MARK, name);
    if (annotate)
        annotate_raise_mark(annotate, name);
    collect_mark(watch->collect, name);
    if (watch->host->mark)
        watch->host->mark(watch->host_opaque, name);
}

static void poll_host(void *opaque)
{
    struct instrument *watch = opaque;
    if (watch->host->poll)
        watch->host->poll(watch->host_opaque);
}

static void about_to_sleep(void *opaque)
{
    struct instrument *watch = opaque;
    if (watch->host->sleep)
        watch->host->sleep(watch->host_opaque);
}

static const struct machine_host interposed_host = {
    .uart_output = uart_output, .userland_up = userland_up, .mark = mark, .poll = poll_host, .sleep = about_to_sleep};

const struct machine_host *instrument_host(struct instrument *watch, const struct machine_host *host, void *opaque)
{
    if (!watch)
        return host;
    watch->host = host;
    watch->host_opaque = opaque;
    return &interposed_host;
}

void *instrument_host_opaque(struct instrument *watch, void *opaque)
{
    return watch ? watch : opaque;
}

bool instrument_begin(struct instrument *watch, struct machine *machine, struct end_signals *signals, struct err *err)
{
    if (!watch)
        return true;
    watch->machine = machine;
    if (!annotated_begin(watch->annotated, machine, signals, err) ||
        !annotated_add_services(watch->annotated, collect_wants_services(watch->collect), err))
        return false;
    if (collect_needs_names(watch->plan) && !annotated_add_names(watch->annotated, watch->plan->symbols,
                                                                 watch->plan->symbol_count, watch->plan->profile, err))
        return false;
    collect_begin(watch->collect, machine, annotated_annotate(watch->annotated));
    if (!watch->trace && !watch->study)
        return true;
    if (memsys_is_flat(machine->memsys))
        return err_set(err, "cache.model: \"none\": a trace or sweep needs caches");
    if (watch->trace && !watch->triggers[TRIGGER_TRACE_START].wanted)
        start_trace(watch);
    return !watch->study || begin_sweep(watch, err);
}

void instrument_reset(struct instrument *watch)
{
    struct annotate *annotate = watch ? annotated_annotate(watch->annotated) : NULL;
    if (annotate)
        annotate_reset_statistics(annotate);
    if (watch && watch->study) {
        watch->triggers[TRIGGER_SWEEP_START].wanted = false;
        watch->sweep_counted = "the end of the warm-up";
        start_sweep(watch);
    }
    if (watch)
        collect_reset(watch->collect);
}

void instrument_checkpoint(struct instrument *watch)
{
    struct annotate *annotate = watch ? annotated_annotate(watch->annotated) : NULL;
    if (annotate)
        annotate_raise_simos(annotate, ANNOTATE_CHECKPOINT);
}

bool instrument_print(struct instrument *watch, FILE *out, struct err *err)
{
    return !watch || annotated_print(watch->annotated, out, err);
}

bool instrument_next_missed(const struct instrument *watch, unsigned *index, struct err *err)
{
    while (watch && watch->machine && *index < TRIGGER_COUNT) {
        const unsigned i = (*index)++;
        const struct trigger *trigger = &watch->triggers[i];
        char text[MACHINE_EVENT_TEXT_SIZE];
        if (!trigger->wanted || trigger->fired)
            continue;
        if (i == TRIGGER_SWEEP_START && !params_is_set(watch->machine->params, trigger->param))
            continue; /* its default: end_sweep() has said what is counted instead */
        machine_event_text(&trigger->event, text);
        err_set(err, "%s: the run ended before %.200s", trigger->param, text);
        return true;
    }
    return false;
}

bool instrument_save(const struct instrument *watch, struct err *err)
{
    return !watch || collect_save(watch->collect, err);
}

bool instrument_end(struct instrument *watch, struct err *err)
{
    if (!watch)
        return true;
    collect_end(watch->collect);
    if (!annotated_end(watch->annotated, err))
        return false;
    if (watch->study)
        end_sweep(watch);
    if (!watch->trace)
        return true;
    stop_trace(watch);
    struct trace_writer *trace = watch->trace;
    watch->trace = NULL;
    return trace_writer_close(trace, err);
}
