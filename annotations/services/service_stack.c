/* The automata: the frames of each process's kernel stack, and the CPU events that change them. */
#include "annotations/services/service_stack.h"

#include "annotations/services/service_calls.h"
#include "annotations/services/service_charge.h"
#include "annotations/services/service_frames.h"
#include "annotations/services/service_names.h"
#include "annotations/services/service_queues.h"
#include "annotations/services/service_shares.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_watch.h"
#include "annotations/services/services_state.h"

#include <stdlib.h>
#include <string.h>

void service_select_target(struct service_cpu *percpu)
{
    struct frame *frame = percpu->core->mode == MODE_KERNEL ? service_top(percpu->task) : NULL;
    if (frame && !frame->is_final) {
        percpu->target = &frame->own;
    } else {
        unsigned service = frame ? frame->service : service_outside_frames(percpu);
        percpu->target = &percpu->sums[service].charge;
        service_mark_changed(percpu, service);
    }
    percpu->sync = frame ? &frame->sync : &percpu->task->sync;
    service_notify(percpu);
}

/* Frames */

void service_push(struct service_cpu *percpu, unsigned service, enum service_class class, bool exception)
{
    struct task *task = percpu->task;
    service_charge_mode(percpu);
    if (!task->frames)
        task->frames = checked_memory(calloc(FRAMES_MAX, sizeof *task->frames));
    task->depth++;
    if (task->depth > FRAMES_MAX) {
        percpu->services->too_deep++;
        return;
    }
    struct frame *frame = service_top(task);
    bool settled = class == SERVICE_IS_PLAIN;
    frame->service = (uint16_t)service;
    frame->call = settled ? 0 : service_call_begin(percpu->services, service);
    frame->class = (uint8_t) class;
    frame->rank = 0;
    frame->is_final = settled;
    frame->exception = exception;
    frame->begun = percpu->core->s.cycle;
    frame->sync = (struct sync){.on = false};
    percpu->sync = &frame->sync;
    frame->nested = frame->blocked = frame->descheduled = 0;
    if (settled) {
        service_mark_changed(percpu, service);
        percpu->sums[service].calls++;
        percpu->target = &percpu->sums[service].charge;
    } else {
        memset(&frame->own, 0, sizeof frame->own);
        percpu->target = &frame->own;
    }
    service_notify(percpu);
}

/* The service of the frame is final: move its charges to the service's totals. */
static void make_final(struct service_cpu *percpu, struct frame *frame)
{
    struct services *services = percpu->services;
    struct service_sum *sum = &percpu->sums[frame->service];
    if (frame->is_final)
        return;
    sum->calls++;
    charge_add(&services->plan, &sum->charge, &frame->own);
    service_mark_changed(percpu, frame->service);
    for (unsigned i = 0; frame->elsewhere && i < services->machine->cpus; i++)
        service_shares_add(&services->percpu[i], percpu->task, frame->service, &frame->elsewhere[i], 0);
    free(frame->elsewhere);
    frame->elsewhere = NULL;
    frame->is_final = true;
    service_call_end(services, frame->call);
}

/* Cycles from THEN to NOW; 0 if negative, as the processors' clocks differ slightly. */
static cycles elapsed(cycles then, cycles now)
{
    return now > then ? now - then : 0;
}

void service_pop(struct service_cpu *percpu)
{
    struct task *task = percpu->task;
    service_charge_mode(percpu);
    if (task->depth > FRAMES_MAX) {
        task->depth--;
        return;
    }
    struct frame *frame = service_top(task);
    make_final(percpu, frame);
    struct service_sum *sum = &percpu->sums[frame->service];
    service_mark_changed(percpu, frame->service);
    cycles latency = elapsed(frame->begun, percpu->core->s.cycle);
    sum->ended++;
    sum->latency += latency;
    sum->nested += frame->nested;
    sum->blocked += frame->blocked;
    sum->descheduled += frame->descheduled;
    task->depth--;
    struct frame *below = service_top(task);
    if (below)
        below->nested += latency;
    service_select_target(percpu);
}

void service_reclassify(struct service_cpu *percpu, unsigned service, uint8_t rank)
{
    struct frame *frame = service_top(percpu->task);
    service_charge_mode(percpu);
    if (frame->class == SERVICE_IS_INTERRUPT && frame->is_final) {
        /* one exception, several interrupts: the previous one has ended */
        bool exception = frame->exception;
        service_pop(percpu);
        service_push(percpu, service, SERVICE_IS_INTERRUPT, exception);
        frame = service_top(percpu->task);
    }
    frame->service = (uint16_t)service;
    service_call_reclassify(percpu->services, frame->call, service);
    frame->rank = rank;
    if (frame->class == SERVICE_IS_INTERRUPT)
        make_final(percpu, frame);
    service_select_target(percpu);
}

/* Processes */

/* Keep the charges of an open frame with the processor that they were made on. */
static void save_own_charges(struct service_cpu *percpu, struct frame *frame)
{
    const struct charge *own = &frame->own;
    if (frame->is_final || (own->all.bucket.cycles == 0 && own->all.bucket.insns == 0 && own->dispatches == 0))
        return;
    if (!frame->elsewhere)
        frame->elsewhere = checked_memory(calloc(percpu->services->machine->cpus, sizeof *frame->elsewhere));
    charge_add(&percpu->services->plan, &frame->elsewhere[percpu->core->number], &frame->own);
    memset(&frame->own, 0, sizeof frame->own);
}

/* Charge the cycles that TASK, which resumes on PERCPU's processor, spent in run queues. */
static void charge_queued(struct service_cpu *percpu, struct task *task, unsigned depth)
{
    if (!task->queue)
        return;
    const cycles queued = service_queue_leave(percpu->services, task, percpu->core->s.cycle);
    struct charge *charge;
    if (depth > 0 && !task->frames[depth - 1].is_final) {
        charge = &task->frames[depth - 1].own;
    } else {
        unsigned service = depth > 0 ? task->frames[depth - 1].service : service_outside(task);
        charge = &percpu->sums[service].charge;
        service_mark_changed(percpu, service);
    }
    charge->dispatches++;
    charge->queued += queued;
}

/* Account the time for which TASK did not run to its innermost frame that is not an interrupt. A switch can happen
 * in an interrupt's frame, but the wait is that of the interrupted context; so the begin of interrupt frames is
 * moved instead. */
static void account_absence(struct service_cpu *percpu, struct task *task)
{
    const cycles now = percpu->core->s.cycle;
    cycles blocked = 0, descheduled = elapsed(task->absent_since, now);
    if (task->absence == TASK_RUNS || task->absence == TASK_NOT_SEEN) {
        charge_queued(percpu, task, 0);
        return;
    }
    if (task->absence == TASK_BLOCKED) {
        blocked = task->woken ? elapsed(task->absent_since, task->woken_at) : descheduled;
        descheduled = task->woken ? elapsed(task->woken_at, now) : 0;
    }
    unsigned depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    for (; depth > 0 && task->frames[depth - 1].class == SERVICE_IS_INTERRUPT; depth--)
        task->frames[depth - 1].begun += blocked + descheduled;
    if (depth > 0) {
        task->frames[depth - 1].blocked += blocked;
        task->frames[depth - 1].descheduled += descheduled;
    }
    charge_queued(percpu, task, depth);
}

void service_context_switch(struct service_cpu *percpu, struct task *task)
{
    struct services *services = percpu->services;
    struct task *before = percpu->task;
    if (task == before)
        return;
    service_charge_mode(percpu);
    const struct service_layout *layout = &services->layout;
    uint32_t state = 0;
    if (before != &percpu->unknown_task && layout->state >= 0)
        state = machine_view_word(percpu->core, before->address + (uint32_t)layout->state);
    bool dies = state & layout->dead;
    if (dies)
        returns_discard_stack(services->returns, percpu->core, core_stack_pointer(percpu->core), before->address);
    for (unsigned i = 0; services->machine->cpus > 1 && i < before->depth && i < FRAMES_MAX; i++)
        save_own_charges(percpu, &before->frames[i]);
    task_charge_modes(percpu);
    memset(percpu->touched, 0, sizeof percpu->touched);
    before->absence = state ? TASK_BLOCKED : TASK_DESCHEDULED;
    before->absent_since = percpu->core->s.cycle;
    before->woken = false;
    percpu->task = task;
    if (dies)
        task_end(services, percpu->core, before);
    account_absence(percpu, task);
    if (!state) {
        service_queue_enter(services, before, percpu->core->number, percpu->core->s.cycle);
        services->preempted += before->queue != 0;
    }
    task->absence = TASK_RUNS;
    service_select_target(percpu);
}

/* System call 0 is `syscall`, which takes the number as its first argument. */
static unsigned service_of_syscall(struct service_cpu *percpu)
{
    const uint32_t number = core_syscall_number(percpu->core);
    return service_of_call(percpu->services, number == SYSCALL_BASE ? core_argument(percpu->core, 0) : number);
}

static unsigned service_of_exception(struct service_cpu *percpu, const struct core_entry *entry,
                                     enum service_class *class)
{
    *class = SERVICE_IS_PLAIN;
    switch (core_exception_kind(percpu->core, entry->code)) {
    case EXCEPTION_INTERRUPT: *class = SERVICE_IS_INTERRUPT; return SERVICE_INTERRUPT;
    case EXCEPTION_PAGE:
        if (entry->refill)
            return vaddr_in_kuseg(core_bad_address(percpu->core)) ? SERVICE_UTLB : SERVICE_KTLB;
        *class = SERVICE_IS_FAULT;
        return SERVICE_PFAULT;
    case EXCEPTION_ADDRESS: return SERVICE_ADDRESS;
    case EXCEPTION_BUS: return SERVICE_BUS;
    case EXCEPTION_SYSCALL: return service_of_syscall(percpu);
    case EXCEPTION_BREAKPOINT: return SERVICE_BREAK;
    case EXCEPTION_RESERVED: return SERVICE_RESERVED;
    case EXCEPTION_COPROCESSOR: return SERVICE_CPU_FAULT;
    case EXCEPTION_ARITHMETIC: return SERVICE_ARITHMETIC;
    case EXCEPTION_OTHER: return SERVICE_OTHER;
    }
    return SERVICE_OTHER;
}

/* While the current process is unknown, try to find it from the processor's state. */
static void find_current_task(struct service_cpu *percpu)
{
    vaddr address = task_address(percpu->services, percpu->core);
    if (address)
        service_context_switch(percpu, task_find(percpu->services, percpu->core, address));
}

static void entered(void *opaque, struct core *core, const struct core_entry *entry)
{
    struct services *services = opaque;
    struct service_cpu *percpu = &services->percpu[core->number];
    enum service_class class;
    if (percpu->task == &percpu->unknown_task && entry->from == MODE_USER)
        find_current_task(percpu);
    unsigned service = service_of_exception(percpu, entry, &class);
    struct frame *top = service_top(percpu->task);
    if (entry->nested && top && top->exception) {
        /* It returns to where the frame below would have returned: one frame for both. */
        service_charge_mode(percpu);
        if (top->is_final) {
            service_pop(percpu);
            service_push(percpu, SERVICE_DBL_FAULT, SERVICE_IS_FAULT, true);
        }
        return;
    }
    service_push(percpu, service, class, true);
}

/* An eret ends the frame of its exception, and those of functions above it, which were left without a return. */
static void returned(void *opaque, struct core *core, vaddr target)
{
    struct services *services = opaque;
    struct service_cpu *percpu = &services->percpu[core->number];
    struct task *task = percpu->task;
    (void)target;
    bool to_user = core->user_mode;
    while (task->depth > 0) {
        const struct frame *frame = service_top(task);
        bool exception = frame->exception || task->depth > FRAMES_MAX;
        service_pop(percpu);
        if (exception && !to_user)
            break;
    }
    if (to_user && !task->seen_user) {
        task->seen_user = true;
        task->is_daemon = false;
    }
    service_select_target(percpu);
}

static void mode_changed(void *opaque, struct core *core, enum mode before)
{
    struct services *services = opaque;
    struct service_cpu *percpu = &services->percpu[core->number];
    if (core->mode == MODE_IDLE) {
        percpu->has_idled = true;
        percpu->task->idles = true;
    }
    core_sync(core);
    core_account(core);
    service_charge_to(percpu, before, percpu->target);
    service_select_target(percpu);
}

/* A `wait` outside of the idle loop is also charged to the idle mode. */
static void waited(void *opaque, struct core *core, cycles duration)
{
    struct services *services = opaque;
    struct service_cpu *percpu = &services->percpu[core->number];
    (void)duration;
    service_mark_changed(percpu, SERVICE_IDLE);
    service_charge_to(percpu, core->mode,
                      core->mode == MODE_IDLE ? &percpu->sums[SERVICE_IDLE].charge : percpu->target);
    service_charge_to(percpu, MODE_IDLE, &percpu->sums[SERVICE_IDLE].charge);
}

const struct core_observer service_observer = {
    .entered = entered, .returned = returned, .mode_changed = mode_changed, .wait_ended = waited};
