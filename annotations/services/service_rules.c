/* Rules, which run at addresses of kernel functions. Each rule is a PC hook on all processors. */
#include "annotations/services/service_rules.h"

#include "annotations/services/service_frames.h"
#include "annotations/services/service_queues.h"
#include "annotations/services/service_stack.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/services_state.h"

#include <stdlib.h>
#include <string.h>

bool service_condition_holds(const struct service_condition *condition, struct core *core)
{
    uint32_t value = core_general(core, condition->reg);
    if (condition->memory)
        value = machine_view_word(core, value + (uint32_t)condition->offset);
    return (value >= condition->low && value <= condition->high) != condition->negated;
}

/* The function of a frame has returned (LEFT: without a return instruction): pop its frame, and those above it on
 * the same stack. */
static void function_returned(void *opaque, struct core *core, bool left)
{
    struct services *services = opaque;
    struct service_cpu *percpu = &services->percpu[core->number];
    const struct frame *top;
    vaddr sp = core_stack_pointer(core);
    while ((top = service_top(percpu->task)) && !top->exception && (top->sp == sp || (left && top->sp < sp)))
        service_pop(percpu);
}

static void enter_function(struct service_cpu *percpu, unsigned service)
{
    service_push(percpu, service, SERVICE_IS_PLAIN, false);
    if (percpu->task->depth > FRAMES_MAX)
        return;
    service_top(percpu->task)->sp = core_stack_pointer(percpu->core);
    returns_watch_call(percpu->services->returns, percpu->core, function_returned, percpu->services);
}

static void reclassify(struct service_cpu *percpu, const struct service_rule *rule)
{
    const struct frame *top = service_top(percpu->task);
    if (!top || top->class != (uint8_t)rule->class || percpu->task->depth > FRAMES_MAX)
        return;
    if (rule->class == SERVICE_IS_INTERRUPT || rule->rank > top->rank)
        service_reclassify(percpu, rule->service, rule->rank);
}

static void process_woken(struct service_cpu *percpu, struct task *task)
{
    struct services *services = percpu->services;
    services->woken++;
    if (task->absence != TASK_BLOCKED || task->woken)
        return;
    task->woken = true;
    task->woken_at = machine_view_time(percpu->core);
    service_queue_enter(services, task, service_queue_of(services, percpu->core, task), task->woken_at);
}

/* A process is created. It is runnable, and enters a run queue until it first runs. */
static void process_created(struct service_cpu *percpu, vaddr address)
{
    struct services *services = percpu->services;
    struct task *task = task_create(services, percpu->core, address);
    services->created++;
    if (task->absence == TASK_NOT_SEEN)
        service_queue_enter(services, task, service_queue_of(services, percpu->core, task),
                            machine_view_time(percpu->core));
}

static void process_migrated(struct service_cpu *percpu, struct task *task, unsigned processor)
{
    struct services *services = percpu->services;
    services->migrated += service_queue_of(services, percpu->core, task) != processor;
    service_queue_move(services, task, processor, machine_view_time(percpu->core));
}

static void apply_process_rule(struct service_cpu *percpu, const struct service_rule *rule, vaddr address)
{
    struct services *services = percpu->services;
    struct core *core = percpu->core;
    if (!vaddr_in_kseg0(address))
        return; /* not a task_struct: the rule does not fit this kernel */
    switch (rule->kind) {
    case RULE_SWITCH:
        services->switches++;
        service_context_switch(percpu, task_find(services, core, address));
        break;
    case RULE_CREATED: process_created(percpu, address); break;
    case RULE_NAMED:
        machine_view_string(core, core_argument(core, 1), task_find(services, core, address)->name,
                            sizeof(struct task){0}.name);
        break;
    case RULE_MOVED: process_migrated(percpu, task_find(services, core, address), core_argument(core, 1)); break;
    case RULE_WOKEN: process_woken(percpu, task_find(services, core, address)); break;
    default: break;
    }
}

static bool rule_hook(void *opaque, struct core *core)
{
    const struct installed_rule *installed = opaque;
    const struct service_rule *rule = &installed->rule;
    struct service_cpu *percpu = &installed->services->percpu[core->number];
    for (unsigned i = 0; i < rule->conditions; i++)
        if (!service_condition_holds(&rule->condition[i], core))
            return false;
    switch (rule->kind) {
    case RULE_ENTER: enter_function(percpu, rule->service); break;
    case RULE_RECLASSIFY: reclassify(percpu, rule); break;
    case RULE_COUNT: ++*rule->counter; break;
    default: apply_process_rule(percpu, rule, core_general(core, rule->reg)); break;
    }
    return false;
}

void services_add_rule(struct services *services, const struct service_rule *rule)
{
    struct installed_rule *installed = checked_memory(calloc(1, sizeof *installed));
    installed->services = services;
    installed->rule = *rule;
    installed->next = services->rules;
    services->rules = installed;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        core_hook_add(services->machine->cores[cpu], rule->address, rule_hook, installed);
}

void service_rules_free(struct services *services)
{
    returns_cancel(services->returns, function_returned, services);
    while (services->rules) {
        struct installed_rule *installed = services->rules;
        services->rules = installed->next;
        for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
            core_hook_remove(services->machine->cores[cpu], installed->rule.address, rule_hook, installed);
        free(installed);
    }
}
