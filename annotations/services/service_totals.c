#include "annotations/services/service_totals.h"

#include "annotations/services/services_state.h"

/* Add to SUM the charges of TASK's open frames on PERCPU's processor: of SERVICE, or of all if SERVICES_MAX. */
static void add_frames(const struct services *services, const struct service_cpu *percpu, const struct task *task,
                       unsigned service, struct service_sum *sum)
{
    unsigned cpu = percpu->core->number, depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    /* The `own` charges of a task that is not running are added with the first processor; those made elsewhere are
     * in `elsewhere`. */
    bool here = percpu->task == task || task == &percpu->unknown_task || (cpu == 0 && task->absence != TASK_RUNS);
    for (unsigned i = 0; i < depth; i++) {
        const struct frame *frame = &task->frames[i];
        if (frame->is_final || (service != SERVICES_MAX && frame->service != service))
            continue;
        if (here) {
            charge_add(&services->plan, &sum->charge, &frame->own);
            sum->calls++;
        }
        if (frame->elsewhere)
            charge_add(&services->plan, &sum->charge, &frame->elsewhere[cpu]);
    }
}

void service_add_open_frames(const struct services *services, const struct service_cpu *percpu, unsigned service,
                             struct service_sum *sum)
{
    add_frames(services, percpu, &percpu->unknown_task, service, sum);
    for (const struct task *task = services->tasks; task; task = task->next)
        add_frames(services, percpu, task, service, sum);
}

void service_total(const struct services *services, unsigned service, struct service_sum *sum)
{
    *sum = (struct service_sum){0};
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        const struct service_cpu *percpu = &services->percpu[cpu];
        const struct service_sum *part = &percpu->sums[service];
        charge_add(&services->plan, &sum->charge, &part->charge);
        sum->calls += part->calls;
        sum->ended += part->ended;
        sum->latency += part->latency;
        sum->nested += part->nested;
        sum->blocked += part->blocked;
        sum->descheduled += part->descheduled;
        service_add_open_frames(services, percpu, service, sum);
    }
}

/* The processors' own counters of first-level misses, in one cache or two. */
uint64_t service_first_level_misses(const struct services *services)
{
    uint64_t sum = 0;
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
            struct account account;
            account_read(&services->plan, services->machine->cores[cpu], mode, &account);
            const uint64_t *miss = account.bucket.miss;
            sum += miss[MISS_L1I] + miss[MISS_L1D_READ] + miss[MISS_L1D_WRITE];
        }
    return sum;
}
