#include "annotations/services/service_groups.h"

#include "annotations/services/service_charge.h"
#include "annotations/services/services_state.h"

#include <string.h>

const char *service_group_name(enum service_group group)
{
    static const char *const names[GROUP_COUNT] = {"user",        "idle",       "system calls", "page faults",
                                                   "TLB refills", "interrupts", "daemons",      "other"};
    return names[group];
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static enum service_group fixed_group(unsigned service)
{
    switch (service) {
    case SERVICE_USER: return GROUP_USER;
    case SERVICE_IDLE: return GROUP_IDLE;
    case SERVICE_UTLB:
    case SERVICE_KTLB: return GROUP_REFILLS;
    case SERVICE_DBL_FAULT:
    case SERVICE_PFAULT: return GROUP_FAULTS;
    case SERVICE_INTERRUPT: return GROUP_INTERRUPTS;
    case SERVICE_DAEMONS: return GROUP_DAEMONS;
    default: return GROUP_OTHER;
    }
}

static void find_groups(const struct services *services, uint8_t group[SERVICES_MAX])
{
    for (unsigned i = 0; i < services->count; i++)
        group[i] = (uint8_t)(i < SERVICE_FIXED_COUNT              ? fixed_group(i)
                             : ends_in(services->name[i], " INT") ? GROUP_INTERRUPTS
                                                                  : GROUP_OTHER);
    for (unsigned i = 0; i < SYSCALLS_MAX; i++)
        if (services->call[i])
            group[services->call[i]] = GROUP_CALLS;
    for (const struct installed_rule *at = services->rules; at; at = at->next)
        if (at->rule.kind == RULE_RECLASSIFY)
            group[at->rule.service] = at->rule.class == SERVICE_IS_FAULT ? GROUP_FAULTS : GROUP_INTERRUPTS;
}

static void add_charge(struct service_groups *sums, enum service_group group, const struct charge *charge)
{
    bucket_add(&sums->group[group], &charge->all.bucket);
    bucket_add(&sums->sync, &charge->sync.bucket);
}

static void add_frames(const struct services *services, const struct task *task, const uint8_t *group,
                       struct service_groups *sums)
{
    unsigned depth = task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX;
    for (unsigned i = 0; i < depth; i++) {
        const struct frame *frame = &task->frames[i];
        if (frame->is_final)
            continue;
        add_charge(sums, group[frame->service], &frame->own);
        for (unsigned cpu = 0; frame->elsewhere && cpu < services->machine->cpus; cpu++)
            add_charge(sums, group[frame->service], &frame->elsewhere[cpu]);
    }
}

void services_sum_groups(struct services *services, struct service_groups *sums)
{
    uint8_t group[SERVICES_MAX];
    find_groups(services, group);
    memset(sums, 0, sizeof *sums);
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++) {
        struct service_cpu *percpu = &services->percpu[cpu];
        service_charge_mode(percpu);
        for (unsigned i = 0; i < services->count; i++)
            add_charge(sums, group[i], &percpu->sums[i].charge);
        add_frames(services, &percpu->unknown_task, group, sums);
    }
    for (const struct task *task = services->tasks; task; task = task->next)
        add_frames(services, task, group, sums);
}
