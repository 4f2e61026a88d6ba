#include "annotations/services/service_frames.h"

#include "annotations/services/services_state.h"

struct frame *service_top(struct task *task)
{
    if (task->depth == 0)
        return NULL;
    return &task->frames[(task->depth < FRAMES_MAX ? task->depth : FRAMES_MAX) - 1];
}

unsigned service_outside(const struct task *task)
{
    if (task->seen_user)
        return SERVICE_USER;
    return task->is_daemon ? SERVICE_DAEMONS : SERVICE_NEW_TASK;
}

unsigned service_outside_frames(const struct service_cpu *percpu)
{
    const struct task *task = percpu->task;
    switch (percpu->core->mode) {
    case MODE_USER: return SERVICE_USER;
    case MODE_IDLE: return SERVICE_IDLE;
    default: break;
    }
    if (!percpu->has_idled && (task->idles || task == &percpu->unknown_task))
        return SERVICE_BOOT;
    if (task->idles)
        return SERVICE_END_IDLE;
    return task->is_daemon || task == &percpu->unknown_task ? SERVICE_DAEMONS : SERVICE_NEW_TASK;
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

const char *services_current(struct services *services, struct core *core)
{
    struct service_cpu *percpu = &services->percpu[core->number];
    struct frame *frame = core->mode == MODE_KERNEL ? service_top(percpu->task) : NULL;
    if (frame)
        return services->name[frame->service];
    for (unsigned i = 0; i < SERVICE_FIXED_COUNT; i++)
        if (percpu->target == &percpu->sums[i].charge)
            return services->name[i];
    return "";
}
