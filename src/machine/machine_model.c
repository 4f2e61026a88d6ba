/* Selection of the CPU model, and switches between models. */
#include "src/machine/machine_model.h"

#include "cache/memsys.h"
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/vmap.h"
#include <stdlib.h>
#include <string.h>

static unsigned model_count(void)
{
    unsigned count = 0;
    while (cpu_model_at(count))
        count++;
    return count;
}

const char *machine_cpu_model_at(size_t index)
{
    const struct cpu_model_ops *model = cpu_model_at((unsigned)index);
    return model ? model->name : NULL;
}

const char *machine_cpu_model(const struct machine *machine)
{
    return machine->models->present->name;
}

const char *machine_model_requested(const struct machine *machine)
{
    const struct cpu_model_ops *asked = machine->models->requested;
    return asked ? asked->name : machine_cpu_model(machine);
}

const struct cpu_model_ops *machine_model_find(const char *name)
{
    unsigned i = 0;
    while (cpu_model_at(i) && strcmp(cpu_model_at(i)->name, name) != 0)
        i++;
    return cpu_model_at(i);
}

enum { VALID_SIZE = 128 };

static const char *valid_models(char valid[VALID_SIZE])
{
    valid[0] = 0;
    for (unsigned i = 0; cpu_model_at(i); i++)
        snprintf(valid + strlen(valid), VALID_SIZE - strlen(valid), "%s%s", i ? ", " : "", cpu_model_at(i)->name);
    return valid;
}

static const struct cpu_model_ops *find_named(const char *name, struct err *err)
{
    char valid[VALID_SIZE];
    const struct cpu_model_ops *model = machine_model_find(name);
    if (!model)
        err_set(err, "no CPU model is called \"%.64s\"; valid: %s", name, valid_models(valid));
    return model;
}

const struct cpu_model_ops *machine_model_choose(struct machine *machine, const struct cpu_model_ops *model)
{
    if (!model->supported || model->supported())
        return model;
    struct machine_models *m = machine->models;
    if (m->reported == model)
        return &mipsy_model;
    m->reported = model;
    log_info(machine->log, "CPU model %s does not work on this host; %s runs instead", model->name, mipsy_model.name);
    return &mipsy_model;
}

/* Quantum */

/* The quantum follows the requested model, not the one that runs, so that a host that does not support the requested
 * model produces the same results. A single CPU needs no longer quantum. */
static cycles quantum_of(const struct machine *machine)
{
    const struct cpu_model_ops *asked = machine->models->requested;
    const uint64_t quantum = params_u64(machine->params, "machine.quantum");
    if (quantum != 0)
        return quantum;
    if (machine->cpus == 1 || !memsys_is_flat(machine->memsys) || !asked || asked->quantum_without_caches == 0)
        return MACHINE_QUANTUM;
    return asked->quantum_without_caches;
}

void machine_models_show_quantum(struct machine *machine)
{
    char value[32];
    snprintf(value, sizeof value, "%llu", (unsigned long long)machine->quantum);
    stats_set_text(machine->stats, "parameters.machine.quantum", value);
}

/* Replacement */

/* core->model is cleared at once, so that a model's destroy() finds only existing models of its peers: models may share
 * data among cores. */
static void destroy_all(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (!core || !core->model)
            continue;
        core->model_ops->destroy(core->model);
        core->model = NULL;
    }
}

static void register_counts(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        machine->models->counting->register_counts(machine->cores[i], machine->stats);
    machine->models->counts_registered = true;
}

/* Allocate the counts of OPS on its first use, and register them. */
static void keep_counts(struct machine *machine, const struct cpu_model_ops *ops)
{
    struct machine_models *m = machine->models;
    if (ops->counts_bytes == 0)
        return;
    m->counting = ops;
    for (unsigned i = 0; i < machine->cpus; i++) {
        if (!m->counts[i] && !(m->counts[i] = calloc(1, ops->counts_bytes)))
            log_bug("out of memory");
        machine->cores[i]->model_counts = m->counts[i];
    }
    if (machine->stats && !m->counts_registered)
        register_counts(machine);
}

const struct cpu_model_ops *machine_model_count(struct machine *machine)
{
    for (unsigned i = 0; cpu_model_at(i); i++)
        keep_counts(machine, cpu_model_at(i));
    return machine->models->counting;
}

/* Create the model OPS on all cores. ASKED: the requested model. */
static bool create_all(struct machine *machine, const struct cpu_model_ops *ops, const struct cpu_model_ops *asked,
                       struct err *err)
{
    keep_counts(machine, ops);
    for (unsigned i = 0; i < machine->cpus; i++)
        machine->cores[i]->model_ops = ops;
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        core->model = ops->create(core, machine->memsys, machine->params, err);
        if (!core->model) {
            destroy_all(machine);
            return false;
        }
    }
    machine->models->present = ops;
    machine->models->requested = asked;
    machine->quantum = quantum_of(machine);
    return true;
}

bool machine_finish_files(const struct machine *machine, struct err *err)
{
    struct machine_models *m = machine->models;
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        if (core->model && core->model_ops->finish_files)
            core->model_ops->finish_files(core->model, &m->unwritten);
    }
    if (m->unwritten.text[0])
        *err = m->unwritten;
    return !m->unwritten.text[0];
}

/* Charge every CPU's instructions since the last call to the present model. */
static void settle_uses(struct machine *machine)
{
    struct machine_models *m = machine->models;
    for (unsigned i = 0; i < model_count() * machine->cpus; i++) {
        struct machine_model_use *use = &m->uses[i];
        if (use->model == m->present)
            use->insns += use->core->s.insns - m->since[use->core->number];
    }
    for (unsigned i = 0; i < machine->cpus; i++)
        m->since[i] = machine->cores[i]->s.insns;
}

/* Add the present model's figures to their totals: the model is about to be destroyed. */
static void settle_figures(struct machine *machine)
{
    struct machine_models *m = machine->models;
    for (unsigned i = 0; i < m->figure_count; i++) {
        struct machine_model_statistic *figure = &m->figures[i];
        if (figure->model == m->present)
            figure->past += figure->model->figure(machine->cores[0]->model, figure->index);
    }
}

/* Replace the models of all cores. The flat tables point into state derived by the old model, so they are cleared.
 * Nothing else of the cores changes: in particular no event is rescheduled, which would change its order among events
 * of the same time. */
static bool replace(struct machine *machine, const struct cpu_model_ops *ops, const struct cpu_model_ops *asked,
                    struct err *err)
{
    const struct cpu_model_ops *old = machine->models->present;
    settle_uses(machine);
    settle_figures(machine);
    for (unsigned i = 0; i < machine->cpus; i++)
        cp0_perf_suspend(machine->cores[i]);
    machine_finish_files(machine, &(struct err){""}); /* a failure is reported at the end of the run */
    destroy_all(machine);
    bool done = create_all(machine, ops, asked, err);
    if (!done && !create_all(machine, old, machine->models->requested, NULL))
        log_bug("neither CPU model %s nor %s can be created", ops->name, old->name);
    for (unsigned i = 0; i < machine->cpus; i++) {
        vmap_invalidate_all(machine->cores[i]);
        cp0_perf_resume(machine->cores[i]);
        machine->cores[i]->attention = true;
    }
    stats_set_text(machine->stats, "machine.model", machine->models->present->name);
    machine_models_show_quantum(machine);
    return done;
}

/* Make OPS the present model, with ASKED as the requested one: at once between runs, otherwise at the next boundary. */
static bool set_model(struct machine *machine, const struct cpu_model_ops *ops, const struct cpu_model_ops *asked,
                      struct err *err)
{
    struct machine_models *m = machine->models;
    if (!machine->current) {
        m->pending = NULL;
        return replace(machine, ops, asked, err);
    }
    m->pending = ops;
    m->pending_requested = asked;
    machine->current->stop = machine->current->attention = true;
    return true;
}

bool machine_models_reorder(const struct machine *machine)
{
    const struct machine_models *m = machine->models;
    bool reorders = m->present->reorders;
    for (unsigned i = 0; i < m->switch_count; i++)
        reorders |= machine_model_find(m->switches[i].model)->reorders;
    return reorders;
}

bool machine_model_set(struct machine *machine, const struct cpu_model_ops *ops, struct err *err)
{
    return set_model(machine, ops, NULL, err);
}

bool machine_set_cpu_model(struct machine *machine, const char *name, struct err *err)
{
    const struct cpu_model_ops *model = find_named(name, err);
    machine->models->reported = NULL;
    return model && set_model(machine, machine_model_choose(machine, model), model, err);
}

/* Switches */

bool machine_options_add_switch(struct machine_options *options, const char *text, struct err *err)
{
    struct machine_switch new = {0};
    char name[64];
    const char *at = strchr(text, '@');
    if (!at)
        return err_set(err, "not MODEL@EVENT");
    snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
    const struct cpu_model_ops *model = find_named(name, err);
    if (!model || !machine_event_parse(&new.event, at + 1, err))
        return false;
    for (unsigned i = 0; i < options->switch_count; i++)
        if (machine_event_equal(&options->switches[i].event, &new.event))
            return err_set(err, "there is one to %s at %.64s already", options->switches[i].model, at + 1);
    new.model = model->name;
    options->switches = checked_memory(realloc(options->switches, (options->switch_count + 1) * sizeof new));
    options->switches[options->switch_count++] = new;
    return true;
}

/* Request the model of the switch DUE. No change if it is already the requested model. */
static void request_model(struct machine *machine, struct machine_switch *due)
{
    struct machine_models *m = machine->models;
    due->reached = true;
    m->pending_requested = machine_model_find(due->model);
    const struct cpu_model_ops *ops = machine_model_choose(machine, m->pending_requested);
    m->pending = m->pending_requested == m->requested ? NULL : ops;
    if (m->pending && machine->current)
        machine->current->stop = machine->current->attention = true;
}

bool machine_models_next_missed(const struct machine *machine, unsigned *index, const char **model,
                                const struct machine_event **event)
{
    const struct machine_models *m = machine->models;
    while (*index < m->switch_count && m->switches[*index].reached)
        ++*index;
    if (*index == m->switch_count)
        return false;
    *model = m->switches[*index].model;
    *event = &m->switches[*index].event;
    ++*index;
    return true;
}

void machine_models_at_boot(struct machine *machine)
{
    for (unsigned i = 0; i < machine->models->switch_count; i++)
        if (machine->models->switches[i].event.kind == MACHINE_EVENT_BOOT)
            request_model(machine, &machine->models->switches[i]);
}

void machine_models_at_mark(struct machine *machine, const char *name)
{
    for (unsigned i = 0; i < machine->models->switch_count; i++) {
        const struct machine_event *event = &machine->models->switches[i].event;
        if (event->kind == MACHINE_EVENT_MARK && strcmp(event->mark, name) == 0)
            request_model(machine, &machine->models->switches[i]);
    }
}

static cycles time_of(const struct machine *machine, const struct machine_event *event)
{
    return machine_event_time(event, machine->queue->clock_hz);
}

static uint64_t insns_of(const struct machine_event *event)
{
    return event->kind == MACHINE_EVENT_INSNS ? event->insns : UINT64_MAX;
}

/* Request the switches due at next_time and advance it to the next later one. */
static void advance_next_time(struct machine *machine)
{
    struct machine_models *m = machine->models;
    cycles next = CYCLES_NEVER;
    for (unsigned i = 0; i < m->switch_count; i++) {
        cycles time = time_of(machine, &m->switches[i].event);
        if (time == m->next_time && time != CYCLES_NEVER)
            request_model(machine, &m->switches[i]);
        else if (time > m->next_time && time < next)
            next = time;
    }
    m->next_time = next;
}

static void advance_next_insns(struct machine *machine)
{
    struct machine_models *m = machine->models;
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < m->switch_count; i++) {
        uint64_t insns = insns_of(&m->switches[i].event);
        if (insns == m->next_insns && insns != UINT64_MAX)
            request_model(machine, &m->switches[i]);
        else if (insns > m->next_insns && insns < next)
            next = insns;
    }
    m->next_insns = next;
}

void machine_models_update(struct machine *machine)
{
    struct machine_models *m = machine->models;
    struct err err = {""};
    while (m->next_time != CYCLES_NEVER && machine->now >= m->next_time)
        advance_next_time(machine);
    while (m->next_insns != UINT64_MAX && machine_insns(machine) >= m->next_insns)
        advance_next_insns(machine);
    const struct cpu_model_ops *ops = m->pending;
    m->pending = NULL;
    if (ops && !replace(machine, ops, m->pending_requested, &err))
        log_info(machine->log, "cannot switch to CPU model %s, continuing with %s: %s", ops->name, m->present->name,
                 err.text);
}

/* Creation */

static void collect_figures(struct machine *machine)
{
    struct machine_models *m = machine->models;
    for (unsigned i = 0; cpu_model_at(i); i++)
        for (unsigned index = 0; cpu_model_at(i)->figures && cpu_model_at(i)->figures[index].name; index++) {
            m->figures = checked_memory(realloc(m->figures, (m->figure_count + 1) * sizeof *m->figures));
            m->figures[m->figure_count++] =
                (struct machine_model_statistic){.machine = machine, .model = cpu_model_at(i), .index = index};
        }
}

bool machine_models_create(struct machine *machine, const struct machine_options *options, struct err *err)
{
    struct machine_models *m = calloc(1, sizeof *m);
    const struct cpu_model_ops *model = machine_model_find(params_string(machine->params, "cpu.model"));
    if (!m)
        log_bug("out of memory");
    machine->models = m;
    m->uses = calloc(model_count() * machine->cpus, sizeof *m->uses);
    m->switches = calloc(options->switch_count + 1, sizeof *m->switches);
    if (!m->uses || !m->switches)
        log_bug("out of memory");
    for (unsigned i = 0; i < model_count() * machine->cpus; i++)
        m->uses[i] = (struct machine_model_use){
            .machine = machine, .core = machine->cores[i % machine->cpus], .model = cpu_model_at(i / machine->cpus)};
    collect_figures(machine);
    m->switch_count = options->switch_count;
    if (options->switch_count)
        memcpy(m->switches, options->switches, options->switch_count * sizeof *m->switches);
    advance_next_time(machine);
    advance_next_insns(machine);
    const struct cpu_model_ops *ops = machine_model_choose(machine, model);
    if (ops == &mipsy_model && ops == model && !translate_supported())
        log_note(machine->log, "no translator for this host: CPU model mipsy interprets every instruction");
    return create_all(machine, ops, model, err);
}

void machine_models_free(struct machine *machine)
{
    destroy_all(machine);
    if (!machine->models)
        return;
    for (unsigned i = 0; i < BOARD_MAX_CPUS; i++)
        free(machine->models->counts[i]);
    free(machine->models->uses);
    free(machine->models->figures);
    free(machine->models->switches);
    free(machine->models);
}

/* Statistics */

bool machine_statistic_is_of_models(const char *name)
{
    return strstr(name, ".models.") || strcmp(name, "machine.model") == 0 || strcmp(name, "parameters.cpu.model") == 0;
}

static uint64_t use_insns(const void *opaque)
{
    const struct machine_model_use *use = opaque;
    const struct machine_models *m = use->machine->models;
    return use->insns + (m->present == use->model ? use->core->s.insns - m->since[use->core->number] : 0);
}

static uint64_t figure_value(const void *opaque)
{
    const struct machine_model_statistic *figure = opaque;
    const struct machine *machine = figure->machine;
    if (figure->model != machine->models->present)
        return figure->past;
    return figure->past + figure->model->figure(machine->cores[0]->model, figure->index);
}

static void register_figures(const struct machine *machine)
{
    const struct machine_models *m = machine->models;
    for (unsigned i = 0; i < m->figure_count; i++) {
        const struct machine_model_statistic *figure = &m->figures[i];
        const struct cpu_model_figure *row = &figure->model->figures[figure->index];
        char path[64];
        snprintf(path, sizeof path, "machine.models.%s.%s", figure->model->name, row->name);
        stats_integer(machine->stats, path, row->unit, row->text, figure_value, figure);
    }
}

void machine_models_register_stats(struct machine *machine)
{
    const struct machine_models *m = machine->models;
    register_figures(machine);
    if (m->counting)
        register_counts(machine);
    for (unsigned i = 0; i < model_count() * machine->cpus; i++) {
        char path[64];
        snprintf(path, sizeof path, "cpu%u.models.%s.insns", m->uses[i].core->number, m->uses[i].model->name);
        stats_integer(machine->stats, path, "instructions", "executed under this CPU model", use_insns, &m->uses[i]);
    }
}
