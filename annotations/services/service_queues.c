/*
 * Run queues: runnable processes that are not running. A process enters one when it is created, is woken, or is
 * preempted; it leaves when it is dispatched. The kernel's thread_info.cpu says which processor's queue it is in. Idle
 * tasks are in none. The waiting time is charged to the service in which the process resumes.
 */
#include "annotations/services/service_queues.h"

#include "annotations/services/service_totals.h"
#include "annotations/services/services_state.h"
#include "src/base/json_writer.h"

#include <inttypes.h>

void service_queue_update(struct run_queue *queue, cycles now)
{
    if (now <= queue->last) /* the processors' clocks differ slightly */
        return;
    const cycles passed = now - queue->last;
    queue->at[queue->length < RUN_QUEUE_LENGTHS ? queue->length : RUN_QUEUE_LENGTHS - 1] += passed;
    queue->integral += queue->length * passed;
    queue->last = now;
}

unsigned service_queue_of(const struct services *services, struct core *core, const struct task *task)
{
    const struct service_layout *layout = &services->layout;
    if (layout->stack < 0 || layout->cpu < 0)
        return core->number;
    const vaddr thread = machine_view_word(core, task->address + (uint32_t)layout->stack);
    const uint32_t cpu = thread ? machine_view_word(core, thread + (uint32_t)layout->cpu) : UINT32_MAX;
    return cpu < services->machine->cpus ? cpu : core->number;
}

static void enqueue(struct services *services, struct task *task, unsigned processor, cycles now)
{
    struct run_queue *queue = &services->percpu[processor].queue;
    service_queue_update(queue, now);
    queue->entered++;
    if (++queue->length > queue->longest)
        queue->longest = queue->length;
    task->queue = processor + 1;
    task->queued_since = now;
}

static void dequeue(struct services *services, struct task *task, cycles now)
{
    struct run_queue *queue = &services->percpu[task->queue - 1].queue;
    const cycles waited = now > task->queued_since ? now - task->queued_since : 0;
    service_queue_update(queue, now);
    queue->length--;
    queue->waited += waited;
    task->queued_before += waited;
    task->queue = 0;
}

void service_queue_enter(struct services *services, struct task *task, unsigned processor, cycles now)
{
    if (task->idles || task->queue || !task->address)
        return;
    task->queued_before = 0;
    enqueue(services, task, processor, now);
}

cycles service_queue_leave(struct services *services, struct task *task, cycles now)
{
    if (!task->queue)
        return 0;
    dequeue(services, task, now);
    return task->queued_before;
}

void service_queue_move(struct services *services, struct task *task, unsigned processor, cycles now)
{
    if (!task->queue || task->queue == processor + 1 || processor >= services->machine->cpus)
        return;
    dequeue(services, task, now);
    enqueue(services, task, processor, now);
    services->percpu[processor].queue.moved++;
}

void service_queues_reset(struct services *services)
{
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct run_queue *queue = &services->percpu[cpu].queue;
        *queue = (struct run_queue){
            .length = queue->length, .longest = queue->length, .last = services->percpu[cpu].core->s.cycle};
    }
    for (struct task *task = services->tasks; task; task = task->next) {
        task->queued_before = 0;
        if (task->queue)
            task->queued_since = services->percpu[task->queue - 1].queue.last;
    }
}

cycles services_queued(struct services *services, unsigned cpu)
{
    struct run_queue *queue = &services->percpu[cpu].queue;
    service_queue_update(queue, machine_view_time(services->percpu[cpu].core));
    return queue->integral;
}

bool service_queues_check(const struct services *services, struct err *err)
{
    cycles waited = 0, queued = 0;
    unsigned length = 0, waiting = 0;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct service_cpu *percpu = &services->percpu[cpu];
        waited += percpu->queue.waited;
        length += percpu->queue.length;
    }
    for (unsigned service = 0; service < services->count; service++) {
        struct service_sum sum;
        service_total(services, service, &sum);
        queued += sum.charge.queued;
    }
    for (const struct task *task = services->tasks; task; task = task->next)
        if (task->queue) {
            queued += task->queued_before;
            waiting++;
        }
    return (waited == queued && length == waiting) ||
           err_set(err, "run queues: processes waited %" PRIu64 " cycles, services %" PRIu64 "; %u of %u wait", waited,
                   queued, waiting, length);
}

/* Results */

void service_queues_print(const struct services *services, FILE *out)
{
    fprintf(out,
            "\nRun queues: runnable processes that wait; share of time at each queue length\n%-5s %10s %10s %8s %8s",
            "CPU", "entered", "moved", "average", "longest");
    for (unsigned i = 0; i < RUN_QUEUE_LENGTHS; i++)
        fprintf(out, " %6u%s", i, i + 1 < RUN_QUEUE_LENGTHS ? " " : "+");
    fputc('\n', out);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct run_queue *queue = &services->percpu[cpu].queue;
        double time = 0;
        for (unsigned i = 0; i < RUN_QUEUE_LENGTHS; i++)
            time += (double)queue->at[i];
        fprintf(out, "%-5u %10" PRIu64 " %10" PRIu64 " %8.3f %8u", cpu, queue->entered, queue->moved,
                time > 0 ? (double)queue->integral / time : 0, queue->longest);
        for (unsigned i = 0; i < RUN_QUEUE_LENGTHS; i++)
            fprintf(out, " %6.2f%%", time > 0 ? 100 * (double)queue->at[i] / time : 0);
        fputc('\n', out);
    }
}

void service_queues_write_json(const struct services *services, struct json_writer *json)
{
    json_begin_array(json);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct run_queue *queue = &services->percpu[cpu].queue;
        json_line(json, 6);
        json_begin_object(json);
        json_member_count(json, "cpu", cpu);
        json_member_count(json, "entered", queue->entered);
        json_member_count(json, "moved", queue->moved);
        json_member_count(json, "longest", queue->longest);
        json_member_count(json, "waited", queue->waited);
        json_member_count(json, "integral", queue->integral);
        json_member_array(json, "length");
        for (unsigned i = 0; i < RUN_QUEUE_LENGTHS; i++)
            json_put_count(json, queue->at[i]);
        json_end_array(json);
        json_end_object(json);
    }
    json_line(json, 4);
    json_end_array(json);
}
