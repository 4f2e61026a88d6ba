#include "annotations/automata/automaton_state.h"
#include "annotations/services/service_watch.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_rules.h"
#include "cpu/privileged/data_watch.h"
#include <stdlib.h>
#include <string.h>

enum { EVERY = UINT32_MAX };

/* Account the time of INSTANCE in its state up to NOW. */
static void account_time(struct automaton *automaton, struct instance *instance, cycles now)
{
    if (now > instance->since)
        automaton->sum[instance->state].time += now - instance->since;
    instance->since = now;
}

static struct instance *add_process(struct automaton *automaton, vaddr task)
{
    struct instance *instance = checked_memory(calloc(1, sizeof *instance));
    hash_map_add(&automaton->processes, task)->pointer = instance;
    return instance;
}

static struct instance *find_process(struct automaton *automaton, vaddr task, unsigned pid)
{
    const struct hash_slot *slot = hash_map_find(&automaton->processes, task);
    struct instance *instance = slot ? slot->pointer : add_process(automaton, task);
    if (slot && instance->pid == pid)
        return instance;
    if (slot) /* another process uses the address */
        account_time(automaton, instance, automaton->all->now);
    *instance = (struct instance){.pid = pid, .since = automaton->all->now};
    return instance;
}

static struct instance *instance_of(struct automaton *automaton, struct core *core)
{
    if (automaton->plan.per == PER_CPU)
        return &automaton->cpu[core->number].own;
    const struct service_process process = services_current_process(automaton->services, core);
    return find_process(automaton, process.task, process.pid);
}

/* Time */

/* Charge the increase of CORE's counters since the last call to the state of its current instance. */
static void charge(struct automaton *automaton, struct core *core)
{
    struct on_cpu *here = &automaton->cpu[core->number];
    if (automaton->plan.per == PER_LINE || !here->current)
        return;
    core_sync(core);
    core_account(core);
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        const struct bucket *now = &core->mode_buckets[mode];
        if (memcmp(now, &here->charged[mode].bucket, sizeof *now) == 0)
            continue;
        struct account read;
        account_read(&automaton->all->plan, core, mode, &read);
        account_add_difference(&automaton->all->plan, &automaton->sum[here->current->state].account, &read,
                               &here->charged[mode]);
        here->charged[mode] = read;
    }
}

static void charge_everywhere(struct automaton *automaton)
{
    for (unsigned cpu = 0; cpu < automaton->all->machine->cpus; cpu++)
        charge(automaton, automaton->all->machine->cores[cpu]);
}

/* Moves */

static void move(struct automaton *automaton, struct instance *instance, const struct automaton_transition *transition,
                 cycles now)
{
    uint8_t to = transition->to == AUTOMATON_ANY ? instance->state : transition->to;
    if (transition->move == MOVE_POP) {
        if (instance->depth == 0)
            return;
        to = instance->stack[--instance->depth];
    } else if (transition->move == MOVE_PUSH && instance->depth < AUTOMATON_STACK) {
        instance->stack[instance->depth++] = instance->state;
    }
    account_time(automaton, instance, now);
    instance->state = to;
    automaton->sum[to].entered++;
}

/* True if transition ONE applies to EVENT with KEY in STATE on CORE. */
static bool applies(const struct automaton_transition *one, enum automaton_event event, uint32_t key, uint8_t state,
                    struct core *core)
{
    bool meant = one->event == event && (event == WHEN_MISS ? one->key & key : one->key == key || one->key == EVERY);
    unsigned held = 0;
    if (!meant || (one->from != AUTOMATON_ANY && one->from != state))
        return false;
    while (held < one->conditions && service_condition_holds(&one->condition[held], core))
        held++;
    return held == one->conditions;
}

/* The instance that transition ONE moves. */
static struct instance *instance_to_move(struct automaton *automaton, const struct automaton_transition *one,
                                         struct core *core)
{
    if (!one->of_other)
        return instance_of(automaton, core);
    const struct service_process other = services_process_at(automaton->services, core, core_general(core, one->reg));
    return find_process(automaton, other.task, other.pid);
}

static void raise_event(struct automaton *automaton, struct core *core, enum automaton_event event, uint32_t key)
{
    automaton->all->now = machine_view_time(core);
    for (unsigned i = 0; i < automaton->plan.transitions; i++) {
        const struct automaton_transition *one = &automaton->plan.transition[i];
        if (one->event != event)
            continue;
        struct instance *instance = instance_to_move(automaton, one, core);
        if (!applies(one, event, key, instance->state, core))
            continue;
        if (one->count != AUTOMATON_ANY)
            automaton->counted[one->count]++;
        if (one->move != MOVE_GO || one->to != AUTOMATON_ANY) {
            charge_everywhere(automaton);
            move(automaton, instance, one, automaton->all->now);
        }
        return;
    }
}

/* Events of automata per processor and per process */

static void raise_all(struct automata *automata, struct core *core, enum automaton_event event, uint32_t key)
{
    for (struct automaton *at = automata->first; at; at = at->next)
        if (at->plan.per != PER_LINE && at->events >> event & 1)
            raise_event(at, core, event, key);
}

static void entered(void *opaque, struct core *core, const struct core_entry *entry)
{
    raise_all(opaque, core, entry->refill ? WHEN_REFILL : WHEN_EXCEPTION, entry->refill ? EVERY : entry->code);
    if (core_exception_kind(core, entry->code) == EXCEPTION_INTERRUPT)
        raise_all(opaque, core, WHEN_INTERRUPT, entry->line);
}

static void returned(void *opaque, struct core *core, vaddr target)
{
    (void)target;
    raise_all(opaque, core, WHEN_ERET, EVERY);
}

static void mode_changed(void *opaque, struct core *core, enum mode before)
{
    (void)before;
    raise_all(opaque, core, WHEN_MODE, core->mode);
}

static void waits(void *opaque, struct core *core)
{
    raise_all(opaque, core, WHEN_WAIT, EVERY);
}

static const struct core_observer observer = {
    .entered = entered, .returned = returned, .mode_changed = mode_changed, .wait_begins = waits};

/* Observer of services (service_watch.h): detects context switches. */
static void service_changed(void *opaque, struct core *core)
{
    struct automata *automata = opaque;
    const vaddr task = services_current_process(automata->services, core).task;
    if (task == automata->task[core->number])
        return;
    automata->now = machine_view_time(core);
    for (struct automaton *at = automata->first; at; at = at->next)
        if (at->plan.per == PER_PROCESS) {
            charge(at, core);
            at->cpu[core->number].current = instance_of(at, core);
        }
    automata->task[core->number] = task;
    raise_all(automata, core, WHEN_SWITCH, EVERY);
}

/* Hooks at addresses */

static bool at_pc(void *opaque, struct core *core)
{
    const struct automaton_hook *hook = opaque;
    raise_event(hook->automaton, core, WHEN_PC, hook->address);
    return false;
}

static void function_returned(void *opaque, struct core *core, bool left)
{
    const struct automaton_hook *hook = opaque;
    (void)left;
    raise_event(hook->automaton, core, WHEN_RETURN, hook->address);
}

static bool at_call(void *opaque, struct core *core)
{
    struct automaton_hook *hook = opaque;
    returns_watch_call(hook->automaton->all->returns, core, function_returned, hook);
    return false;
}

static void add_hook(struct automaton *automaton, enum automaton_event event, vaddr address)
{
    for (const struct automaton_hook *at = automaton->places; at; at = at->next)
        if (at->address == address && at->event == event)
            return;
    struct automaton_hook *hook = checked_memory(calloc(1, sizeof *hook));
    *hook = (struct automaton_hook){automaton->places, automaton, event, address};
    automaton->places = hook;
    for (unsigned cpu = 0; cpu < automaton->all->machine->cpus; cpu++)
        core_hook_add(automaton->all->machine->cores[cpu], address, event == WHEN_PC ? at_pc : at_call, hook);
}

/* Lines of memory */

static bool is_by(const struct automaton_transition *one, uint8_t cpu_before, unsigned cpu)
{
    return one->by == BY_ANY || (one->by == BY_SAME) == (cpu_before == cpu + 1);
}

/* An EVENT of the line at ADDRESS on CORE. */
static void raise_line_event(struct automaton *automaton, struct core *core, paddr address, enum automaton_event event,
                             uint32_t key)
{
    const uint64_t line = address >> automaton->line_shift;
    uint8_t *state = &automaton->line[line], before = 0;
    if (automaton->line_cpu) {
        before = automaton->line_cpu[line];
        automaton->line_cpu[line] = (uint8_t)(core->number + 1);
    }
    for (unsigned i = 0; i < automaton->plan.transitions; i++) {
        const struct automaton_transition *one = &automaton->plan.transition[i];
        if (!applies(one, event, key, *state, core) || !is_by(one, before, core->number))
            continue;
        if (one->count != AUTOMATON_ANY)
            automaton->counted[one->count]++;
        if (one->to != AUTOMATON_ANY) {
            automaton->line_members[*state]--; /* not valid for the first state */
            automaton->line_members[one->to]++;
            *state = one->to;
            automaton->sum[*state].entered++;
        }
        return;
    }
}

static void missed(void *opaque, const struct observed_miss *miss)
{
    struct automaton *automaton = opaque;
    const enum miss_class class = miss->upgrade ? CLASS_UPGRADE : miss->class;
    if (miss->cache == automaton->outermost ||
        (miss->access == MEMSYS_FETCH && miss->cache == automaton->outermost - 1))
        raise_line_event(automaton, automaton->all->machine->cores[miss->cpu], miss->address, WHEN_MISS, 1u << class);
}

static void accessed(void *opaque, struct core *core, const struct data_access *access)
{
    raise_line_event(opaque, core, access->physical, access->kind == ACCESS_LOAD ? WHEN_LOAD : WHEN_STORE, EVERY);
}

static bool has_transition_on(const struct automaton *automaton, enum automaton_event event)
{
    for (unsigned i = 0; i < automaton->plan.transitions; i++)
        if (automaton->plan.transition[i].event == event)
            return true;
    return false;
}

/* Observe loads and stores if a transition needs them. */
static void watch_accesses(struct automaton *automaton)
{
    const struct data_range range = {.loads = has_transition_on(automaton, WHEN_LOAD),
                                     .stores = has_transition_on(automaton, WHEN_STORE),
                                     .by_virtual = automaton->plan.range.by_virtual,
                                     .first = automaton->plan.range.first,
                                     .last = automaton->plan.range.last,
                                     .callback = accessed,
                                     .opaque = automaton};
    automaton->watches_accesses = range.loads || range.stores;
    if (automaton->watches_accesses)
        data_watch_add(automaton->all->machine->cores[0], &range);
}

static bool watch_lines(struct automaton *automaton, struct err *err)
{
    struct memsys *memsys = automaton->all->machine->memsys;
    if (!memsys || memsys_is_flat(memsys))
        return err_set(err, "the machine has no caches (cache.model)");
    automaton->outermost = miss_observer_outermost(memsys);
    automaton->line_shift = (unsigned)__builtin_ctz(memsys_line(memsys, automaton->outermost));
    automaton->line = checked_memory(calloc((size_t)1 << (32 - automaton->line_shift), 1));
    for (unsigned i = 0; i < automaton->plan.transitions && !automaton->line_cpu; i++)
        if (automaton->plan.transition[i].by != BY_ANY)
            automaton->line_cpu = checked_memory(calloc((size_t)1 << (32 - automaton->line_shift), 1));
    if (has_transition_on(automaton, WHEN_MISS))
        automaton->miss_observer = miss_observer_begin(memsys, missed, automaton);
    watch_accesses(automaton);
    return true;
}

/* Creation and deletion */

struct automata *automata_create(const struct machine_view *machine, struct events *events, struct returns *returns)
{
    struct automata *automata = checked_memory(calloc(1, sizeof *automata));
    automata->machine = machine;
    automata->events = events;
    automata->returns = returns;
    automata->plan = account_plan_of(machine);
    return automata;
}

static void free_automaton(struct automaton *automaton)
{
    const struct machine_view *machine = automaton->all->machine;
    miss_observer_end(automaton->miss_observer);
    if (automaton->watches_accesses)
        data_watch_remove(machine->cores[0], accessed, automaton);
    while (automaton->places) {
        struct automaton_hook *hook = automaton->places;
        automaton->places = hook->next;
        returns_cancel(automaton->all->returns, function_returned, hook);
        for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
            core_hook_remove(machine->cores[cpu], hook->address, hook->event == WHEN_PC ? at_pc : at_call, hook);
        free(hook);
    }
    for (struct hash_slot *slot = hash_map_next(&automaton->processes, NULL); slot;
         slot = hash_map_next(&automaton->processes, slot))
        free(slot->pointer);
    hash_map_release(&automaton->processes);
    free(automaton->line);
    free(automaton->line_cpu);
    free(automaton->plan.transition);
    free(automaton);
}

void automata_free(struct automata *automata)
{
    if (!automata)
        return;
    if (automata->first)
        events_remove_observer(automata->events, &observer, automata);
    if (automata->services)
        services_unwatch(automata->services, service_changed, automata);
    while (automata->first) {
        struct automaton *automaton = automata->first;
        automata->first = automaton->next;
        free_automaton(automaton);
    }
    free(automata);
}

/* Take the present counters as the start of the figures. */
static void begin_cpu(struct automaton *automaton, struct core *core)
{
    struct on_cpu *here = &automaton->cpu[core->number];
    core_sync(core);
    core_account(core);
    for (enum mode mode = 0; mode < MODE_COUNT; mode++)
        account_read(&automaton->all->plan, core, mode, &here->charged[mode]);
    if (automaton->plan.per == PER_LINE)
        return;
    automaton->all->now = core->s.cycle;
    here->own.since = core->s.cycle;
    here->current = instance_of(automaton, core);
    here->current->since = core->s.cycle;
}

bool automata_add(struct automata *automata, const struct automaton_plan *plan, struct services *services,
                  struct err *err)
{
    bool needs_services = plan->per == PER_PROCESS;
    for (unsigned i = 0; i < plan->transitions; i++)
        needs_services |= plan->transition[i].event == WHEN_SWITCH;
    for (const struct automaton *at = automata->first; at; at = at->next)
        if (strcmp(at->plan.name, plan->name) == 0)
            return err_set(err, "there is an automaton %s already", plan->name);
    if (needs_services && !services)
        return err_set(err, "it needs the process accounting: run `library services` first");
    struct automaton *automaton = checked_memory(calloc(1, sizeof *automaton));
    automaton->all = automata;
    automaton->plan = *plan;
    automaton->services = services;
    automaton->plan.transition = checked_memory(calloc(plan->transitions + 1, sizeof *plan->transition));
    memcpy(automaton->plan.transition, plan->transition, plan->transitions * sizeof *plan->transition);
    if (plan->per == PER_LINE && !watch_lines(automaton, err)) {
        free_automaton(automaton);
        return false;
    }
    if (services && !automata->services) {
        automata->services = services;
        services_watch(services, service_changed, automata);
        for (unsigned cpu = 0; cpu < automata->machine->cpus; cpu++)
            automata->task[cpu] = services_current_process(services, automata->machine->cores[cpu]).task;
    }
    for (unsigned i = 0; i < plan->transitions; i++) {
        const struct automaton_transition *one = &plan->transition[i];
        automaton->events |= 1u << one->event;
        if (one->event == WHEN_PC || one->event == WHEN_RETURN)
            add_hook(automaton, one->event, one->key);
    }
    for (unsigned cpu = 0; cpu < automata->machine->cpus; cpu++)
        begin_cpu(automaton, automata->machine->cores[cpu]);
    if (!automata->first)
        events_add_observer(automata->events, &observer, automata);
    struct automaton **last = &automata->first;
    while (*last)
        last = &(*last)->next;
    *last = automaton;
    return true;
}

void automaton_update(struct automaton *automaton)
{
    const struct machine_view *machine = automaton->all->machine;
    charge_everywhere(automaton);
    for (unsigned cpu = 0; cpu < machine->cpus && automaton->plan.per == PER_CPU; cpu++)
        account_time(automaton, &automaton->cpu[cpu].own, machine_view_time(machine->cores[cpu]));
    for (const struct hash_slot *slot = hash_map_next(&automaton->processes, NULL); slot;
         slot = hash_map_next(&automaton->processes, slot))
        account_time(automaton, slot->pointer, machine_view_time(machine->cores[0]));
}

void automata_reset(struct automata *automata)
{
    for (struct automaton *at = automata ? automata->first : NULL; at; at = at->next) {
        automaton_update(at);
        memset(at->sum, 0, sizeof at->sum);
        memset(at->counted, 0, sizeof at->counted);
    }
}
