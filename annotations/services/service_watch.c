#include "annotations/services/service_watch.h"

#include "annotations/services/services_state.h"

void services_watch(struct services *services, service_watch_fn *call, void *opaque)
{
    if (services->watcher_count == SERVICE_WATCHERS)
        log_bug("more than %d observers of services", SERVICE_WATCHERS);
    services->watcher[services->watcher_count++] = (struct service_watcher){call, opaque};
}

void services_unwatch(struct services *services, service_watch_fn *call, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < services->watcher_count; i++)
        if (services->watcher[i].call != call || services->watcher[i].opaque != opaque)
            services->watcher[kept++] = services->watcher[i];
    services->watcher_count = kept;
}

void service_notify(struct service_cpu *percpu)
{
    const struct services *services = percpu->services;
    for (unsigned i = 0; i < services->watcher_count; i++)
        services->watcher[i].call(services->watcher[i].opaque, percpu->core);
}

unsigned services_stack(const struct services *services, const struct core *core,
                        struct service_level levels[SERVICE_LEVELS])
{
    const struct service_cpu *percpu = &services->percpu[core->number];
    const struct task *task = percpu->task;
    unsigned count = 0, depth = core->mode == MODE_KERNEL ? task->depth : 0;
    if (depth > FRAMES_MAX)
        depth = FRAMES_MAX;
    if (depth == 0 || !task->seen_user)
        levels[count++] = (struct service_level){.service = service_outside_frames(percpu)};
    for (unsigned i = 0; i < depth; i++) {
        const struct frame *frame = &task->frames[i];
        levels[count++] = (struct service_level){frame->service, (enum service_class)frame->class, frame->begun};
    }
    return count;
}

const char *services_name(const struct services *services, unsigned service)
{
    return services->name[service];
}

struct service_cost services_cost(const struct services *services, const struct core *core)
{
    const struct service_cpu *percpu = &services->percpu[core->number];
    struct service_cost cost = {0, 0};
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        const struct bucket *charged = &percpu->charged[mode].bucket, *begin = &percpu->begin[mode].bucket;
        cost.cycles += charged->cycles - begin->cycles;
        cost.stall += bucket_stall(charged) - bucket_stall(begin);
    }
    return cost;
}

void services_charge(struct services *services)
{
    for (unsigned cpu = 0; cpu < services->machine->cpus; cpu++)
        service_charge_mode(&services->percpu[cpu]);
}
