/* Processes, identified by the address of their task_struct, which is found from the kernel stack. */
#include "annotations/services/service_tasks.h"

#include "annotations/services/service_queues.h"
#include "annotations/services/service_shares.h"
#include "annotations/services/services_state.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL_STACK_MASK = (1 << 13) - 1, IDLE_PID = 0 };

/* Read pid, name and kind from the task_struct. */
static void read_identity(const struct services *services, struct core *core, struct task *task)
{
    const struct service_layout *layout = &services->layout;
    if (layout->pid >= 0)
        task->pid = machine_view_word(core, task->address + (uint32_t)layout->pid);
    if (layout->tgid >= 0)
        task->tgid = machine_view_word(core, task->address + (uint32_t)layout->tgid);
    if (layout->comm >= 0)
        machine_view_string(core, task->address + (uint32_t)layout->comm, task->name, sizeof task->name);
    if (layout->mm >= 0)
        task->is_daemon = machine_view_word(core, task->address + (uint32_t)layout->mm) == 0;
    if (layout->pid >= 0 && task->pid == IDLE_PID)
        task->idles = true;
}

static struct task *add(struct services *services, struct core *core, vaddr address)
{
    struct task *task = checked_memory(calloc(1, sizeof *task));
    task->address = address;
    task->absence = TASK_NOT_SEEN;
    read_identity(services, core, task);
    task->next = services->tasks;
    services->tasks = task;
    hash_map_add(&services->living, address)->pointer = task;
    return task;
}

static struct task *find(struct services *services, vaddr address)
{
    const struct hash_slot *slot = hash_map_find(&services->living, address);
    return slot ? slot->pointer : NULL;
}

static void free_shares(struct task *task)
{
    service_shares_free(task);
    while (task->shares) {
        struct task_share *share = task->shares;
        task->shares = share->next;
        free(share);
    }
}

static void free_task(struct task *task)
{
    for (unsigned i = 0; task->frames && i < FRAMES_MAX; i++)
        free(task->frames[i].elsewhere);
    free(task->frames);
    free_shares(task);
}

struct task *task_find(struct services *services, struct core *core, vaddr address)
{
    struct task *task = find(services, address);
    if (!task && services->living.count == TASKS_MAX)
        return &services->percpu[core->number].unknown_task;
    return task ? task : add(services, core, address);
}

/* Processes that have ended */

static cycles cycles_of(const struct task *task)
{
    cycles sum = 0;
    for (const struct task_share *share = task->shares; share; share = share->next)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            sum += share->mode[mode].bucket.cycles;
    return sum;
}

/* Charges of TASK on CPU, created if necessary. */
static struct task_share *share_on(struct task *task, unsigned cpu)
{
    struct task_share *share = task->shares;
    while (share && share->cpu != cpu)
        share = share->next;
    if (!share) {
        share = checked_memory(calloc(1, sizeof *share));
        share->cpu = cpu;
        share->next = task->shares;
        task->shares = share;
    }
    return share;
}

/* The pool for ended processes called NAME; the last pool is shared by all further names. */
static struct task *find_pool(struct services *services, const char *name)
{
    static const char others[] = "(others)";
    for (struct task *task = services->tasks; task; task = task->next)
        if (task->members && strcmp(task->name, name) == 0)
            return task;
    if (services->pools >= POOLS_MAX - 1 && strcmp(name, others) != 0)
        return find_pool(services, others);
    struct task *pool = checked_memory(calloc(1, sizeof *pool));
    snprintf(pool->name, sizeof pool->name, "%s", name);
    pool->ended = true;
    pool->next = services->tasks;
    services->tasks = pool;
    services->pools++;
    return pool;
}

/* Merge one ended task into its pool: the one with fewest cycles, the oldest if several have as few. */
static void pool_one(struct services *services)
{
    struct task **least = NULL;
    cycles least_cycles = 0;
    for (struct task **at = &services->tasks; *at; at = &(*at)->next) {
        if (!(*at)->ended || (*at)->members)
            continue;
        cycles time = cycles_of(*at);
        if (!least || time <= least_cycles) {
            least = at;
            least_cycles = time;
        }
    }
    struct task *task = *least;
    *least = task->next;
    services->ended--;
    struct task *pool = find_pool(services, task->name);
    pool->members++;
    for (const struct task_share *share = task->shares; share; share = share->next)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            account_add(&services->plan, &share_on(pool, share->cpu)->mode[mode], &share->mode[mode]);
    service_shares_merge(services, pool, task);
    free_task(task);
    free(task);
}

void task_end(struct services *services, struct core *core, struct task *task)
{
    struct service_cpu *percpu = &services->percpu[core->number];
    if (task->address == 0)
        return; /* the unknown task */
    for (unsigned i = 0; i < services->machine->cpus; i++)
        if (services->percpu[i].task == task)
            return; /* still current on a CPU */
    /* its open frames never end: count their calls, but not their latency */
    unsigned depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    for (unsigned i = 0; i < depth; i++) {
        struct frame *frame = &task->frames[i];
        if (frame->is_final)
            continue;
        service_shares_add(percpu, task, frame->service, &frame->own, 1);
        for (unsigned cpu = 0; frame->elsewhere && cpu < services->machine->cpus; cpu++)
            service_shares_add(&services->percpu[cpu], task, frame->service, &frame->elsewhere[cpu], 0);
        free(frame->elsewhere);
    }
    if (task->queue) {
        struct charge queued = {.dispatches = 1};
        queued.queued = service_queue_leave(services, task, machine_view_time(core));
        service_shares_add(percpu, task, SERVICE_NEW_TASK, &queued, 0);
    }
    free(task->frames);
    task->frames = NULL;
    task->depth = 0;
    task->ended = true;
    hash_map_remove(&services->living, hash_map_find(&services->living, task->address));
    if (++services->ended > ENDED_MAX)
        pool_one(services);
}

struct task *task_create(struct services *services, struct core *core, vaddr address)
{
    struct task *old = find(services, address);
    if (old)
        task_end(services, core, old);
    return task_find(services, core, address);
}

void task_charge_modes(struct service_cpu *percpu)
{
    struct task_share *share = share_on(percpu->task, percpu->core->number);
    service_shares_charge(percpu);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        /* up to what has been charged to services, which may be less than the modes' counters now */
        account_add_difference(&percpu->services->plan, &share->mode[mode], &percpu->charged[mode],
                               &percpu->task_from[mode]);
        percpu->task_from[mode] = percpu->charged[mode];
    }
}

/* In kernel mode the thread pointer is that of thread_info; in user mode, kernelsp[cpu] holds the kernel stack. */
vaddr task_address(const struct services *services, struct core *core)
{
    vaddr thread = core_thread_pointer(core);
    if (services->layout.task_of_thread < 0)
        return 0;
    if (core->user_mode || core_enters_kernel(core)) {
        if (!services->kernel_stacks)
            return 0;
        thread = machine_view_word(core, services->kernel_stacks + 4 * core->number) & ~(vaddr)KERNEL_STACK_MASK;
    }
    if (!vaddr_in_kseg0(thread) || thread & 3)
        return 0;
    vaddr task = machine_view_word(core, thread + (uint32_t)services->layout.task_of_thread);
    return vaddr_in_kseg0(task) ? task : 0;
}

void task_reset(struct services *services, struct task *task)
{
    unsigned depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    free_shares(task);
    for (unsigned i = 0; i < depth; i++) {
        struct frame *frame = &task->frames[i];
        memset(&frame->own, 0, sizeof frame->own);
        free(frame->elsewhere);
        frame->elsewhere = NULL;
        frame->begun = services->percpu[0].core->s.cycle;
        frame->nested = frame->blocked = frame->descheduled = 0;
    }
}

void task_free_all(struct services *services)
{
    while (services->tasks) {
        struct task *task = services->tasks;
        services->tasks = task->next;
        free_task(task);
        free(task);
    }
    hash_map_release(&services->living);
    for (unsigned i = 0; i < services->machine->cpus; i++)
        free_task(&services->percpu[i].unknown_task);
}

struct service_process services_current_process(struct services *services, struct core *core)
{
    const struct task *task = services->percpu[core->number].task;
    return (struct service_process){task->address, task->pid, task->tgid, task->name};
}

struct service_process services_process_at(struct services *services, struct core *core, vaddr address)
{
    const struct task *task = task_find(services, core, address);
    return (struct service_process){task->address, task->pid, task->tgid, task->name};
}
