#include "annotations/services/services.h"

#include "annotations/services/service_charge.h"
#include "annotations/services/service_cycles.h"
#include "annotations/services/service_displacement.h"
#include "annotations/services/service_locks.h"
#include "annotations/services/service_misses.h"
#include "annotations/services/service_names.h"
#include "annotations/services/service_queues.h"
#include "annotations/services/service_rules.h"
#include "annotations/services/service_shares.h"
#include "annotations/services/service_stack.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_totals.h"
#include "annotations/services/services_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Take the present counters as the start of the figures. */
static void snapshot_counters(struct services *services, struct service_cpu *percpu)
{
    const struct core *core = percpu->core;
    const struct core_counts *counts = &core->counts;
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        account_read(&services->plan, core, mode, &percpu->begin[mode]);
        for (unsigned row = 0; row < services->plan.rows; row++)
            percpu->source[mode][row] = account_source(&services->plan, core->number, mode, row);
    }
    memcpy(percpu->charged, percpu->begin, sizeof percpu->charged);
    memcpy(percpu->task_from, percpu->begin, sizeof percpu->task_from);
    memcpy(services->exceptions[core->number], counts->exceptions, sizeof counts->exceptions);
    services->refills[core->number] = counts->tlb_refills[0] + counts->tlb_refills[1];
    if (core->s.cycle > services->begun)
        services->begun = core->s.cycle;
}

static void start_cpu(struct services *services, unsigned cpu)
{
    struct service_cpu *percpu = &services->percpu[cpu];
    struct core *core = services->machine->cores[cpu];
    core_sync(core);
    core_account(core);
    *percpu = (struct service_cpu){
        .core = core, .services = services, .task = &percpu->unknown_task, .sync = &percpu->unknown_task.sync};
    snprintf(percpu->unknown_task.name, sizeof percpu->unknown_task.name, "(unknown)");
    snapshot_counters(services, percpu);
    percpu->sums = checked_memory(calloc(SERVICES_MAX, sizeof *percpu->sums));
    percpu->shared = checked_memory(calloc(SERVICES_MAX, sizeof *percpu->shared));
    percpu->queue.last = core->s.cycle;
    service_select_target(percpu);
}

struct services *services_create(const struct machine_view *machine, struct events *events, struct returns *returns)
{
    struct services *services = checked_memory(calloc(1, sizeof *services));
    services->machine = machine;
    services->events = events;
    services->returns = returns;
    services->plan = account_plan_of(machine);
    services->layout = (struct service_layout){-1, -1, 0, -1, -1, -1, -1, -1, -1};
    services->counters = checked_memory(calloc(COUNTERS_MAX, sizeof *services->counters));
    service_names_init(services);
    const struct symbol *stacks = machine->symbols ? symbols_find(machine->symbols, "kernelsp") : NULL;
    services->kernel_stacks = stacks ? stacks->address : 0;
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        start_cpu(services, cpu);
    events_add_observer(events, &service_observer, services);
    return services;
}

void services_free(struct services *services)
{
    if (!services)
        return;
    events_remove_observer(services->events, &service_observer, services);
    service_rules_free(services);
    service_displacement_free(services->displaced);
    service_misses_free(services->misses);
    service_cycles_free(services->cycles);
    free(services->service_of_call);
    locks_free(services->locks);
    task_free_all(services);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        free(services->percpu[cpu].sums);
        free(services->percpu[cpu].shared);
    }
    free(services->counters);
    free(services);
}

void services_set_layout(struct services *services, const struct service_layout *layout)
{
    services->layout = *layout;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct service_cpu *percpu = &services->percpu[cpu];
        vaddr address = task_address(services, percpu->core);
        if (percpu->task == &percpu->unknown_task && address)
            service_context_switch(percpu, task_find(services, percpu->core, address));
    }
}

/* Sums */

void services_update(struct services *services)
{
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct service_cpu *percpu = &services->percpu[cpu];
        service_charge_all_modes(percpu);
        task_charge_modes(percpu);
        service_queue_update(&percpu->queue, percpu->core->s.cycle);
        service_shares_add_open_frames(services, &percpu->unknown_task);
    }
    for (struct task *task = services->tasks; task; task = task->next)
        service_shares_add_open_frames(services, task);
}

void services_reset(struct services *services)
{
    services_update(services);
    services->begun = services->created = services->switches = services->too_deep = 0;
    services->preempted = services->woken = services->migrated = 0;
    for (unsigned i = 0; i < services->counter_count; i++)
        services->counters[i].value = 0;
    locks_reset(services->locks);
    for (struct task *task = services->tasks; task; task = task->next)
        task_reset(services, task);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct service_cpu *percpu = &services->percpu[cpu];
        task_reset(services, &percpu->unknown_task);
        memset(percpu->sums, 0, services->count * sizeof *percpu->sums);
        memset(percpu->shared, 0, services->count * sizeof *percpu->shared);
        snapshot_counters(services, percpu);
    }
    service_queues_reset(services);
    service_displacement_reset(services);
    service_misses_reset(services);
    service_cycles_reset(services);
}

static void add_shares(const struct services *services, const struct task *task, unsigned cpu, struct account *sum)
{
    for (const struct task_share *share = task->shares; share; share = share->next)
        for (unsigned mode = 0; share->cpu == cpu && mode < MODE_COUNT; mode++)
            account_add(&services->plan, sum, &share->mode[mode]);
}

/* True if SUM equals TOTAL. */
static bool agree(const struct services *services, unsigned cpu, const char *what, const struct account *sum,
                  const struct account *total, struct err *err)
{
    const uint64_t *a = (const uint64_t *)sum, *b = (const uint64_t *)total;
    for (unsigned i = 0; i < account_numbers(&services->plan); i++)
        if (a[i] != b[i])
            return err_set(err, "CPU %u: %s add up to %" PRIu64 " of %" PRIu64 " in figure %u", cpu, what, a[i], b[i],
                           i);
    return true;
}

static void read_total(const struct services *services, const struct service_cpu *percpu, struct account *total)
{
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        struct account now;
        account_read(&services->plan, percpu->core, mode, &now);
        account_add_difference(&services->plan, total, &now, &percpu->begin[mode]);
    }
}

bool services_check(struct services *services, struct err *err)
{
    services_update(services);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct service_cpu *percpu = &services->percpu[cpu];
        struct account total = {0}, processes = {0};
        struct service_sum sum = {0};
        read_total(services, percpu, &total);
        for (unsigned i = 0; i < services->count; i++)
            charge_add(&services->plan, &sum.charge, &percpu->sums[i].charge);
        service_add_open_frames(services, percpu, SERVICES_MAX, &sum);
        add_shares(services, &percpu->unknown_task, cpu, &processes);
        for (const struct task *task = services->tasks; task; task = task->next)
            add_shares(services, task, cpu, &processes);
        if (!agree(services, cpu, "services", &sum.charge.all, &total, err) ||
            !agree(services, cpu, "processes", &processes, &total, err))
            return false;
    }
    return service_shares_check(services, err) && service_queues_check(services, err) &&
           service_displacement_check(services, err) && service_misses_check(services, err) &&
           service_cycles_check(services, err);
}

/* For scripts */

static bool is_called(const struct task *task, const char *process)
{
    char number[16];
    snprintf(number, sizeof number, "%u", task->pid);
    return strcmp(task->name, process) == 0 || strcmp(number, process) == 0;
}

/* Totals of SERVICE over the processes called PROCESS. */
static void sum_of_processes(struct services *services, unsigned service, const char *process, struct service_sum *sum)
{
    *sum = (struct service_sum){0};
    services_update(services);
    for (const struct task *task = services->tasks; task; task = task->next)
        for (const struct service_share *share = task->services; share; share = share->next)
            if (share->service == service && is_called(task, process)) {
                struct service_sum part;
                service_shares_read(services, task, share, &part);
                sum->calls += part.calls;
                sum->ended += part.ended;
                sum->latency += part.latency;
                sum->blocked += part.blocked;
                sum->descheduled += part.descheduled;
                charge_add(&services->plan, &sum->charge, &part.charge);
            }
}

static uint64_t sum_row(const uint64_t *figure, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += figure[i];
    return sum;
}

bool services_figure(struct services *services, const char *name, const char *figure, const char *process,
                     uint64_t *value)
{
    struct service_sum sum;
    unsigned service = service_named(services, name);
    if (service == services->count || (process && strcmp(figure, "sync") == 0))
        return false;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        service_charge_mode(&services->percpu[cpu]);
    if (process)
        sum_of_processes(services, service, process, &sum);
    else
        service_total(services, service, &sum);
    const struct bucket *bucket = &sum.charge.all.bucket;
    const struct {
        const char *name;
        uint64_t value;
    } figures[] = {{"calls", sum.calls},
                   {"cycles", bucket->cycles},
                   {"insns", bucket->insns},
                   {"stall", sum_row(bucket->stall, STALL_COUNT)},
                   {"misses", bucket->miss[MISS_L1I] + bucket->miss[MISS_L1D_READ] + bucket->miss[MISS_L1D_WRITE]},
                   {"queued", sum.charge.queued},
                   {"dispatches", sum.charge.dispatches},
                   {"latency", sum.latency},
                   {"ended", sum.ended},
                   {"blocked", sum.blocked},
                   {"descheduled", sum.descheduled},
                   {"sync", sum.charge.sync.bucket.cycles},
                   {"acquires", sum.charge.acquires},
                   {"contended", sum.charge.contended}};
    for (unsigned i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (strcmp(figures[i].name, figure) == 0) {
            *value = figures[i].value;
            return true;
        }
    return false;
}
