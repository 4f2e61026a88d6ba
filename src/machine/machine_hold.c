#include "src/machine/machine_hold.h"

#include "src/machine/schedule.h"

void machine_hold_begin(struct machine *machine, const enum machine_action actions[])
{
    struct machine_hold *hold = &machine->hold;
    *hold = (struct machine_hold){0};
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        core->held = actions[i] == MACHINE_CPU_HELD;
        core->left_behind = false;
        hold->step_end[i] = actions[i] == MACHINE_CPU_STEPS ? core->s.insns + 1 : UINT64_MAX;
        hold->active |= actions[i] != MACHINE_CPU_RUNS;
    }
}

/* CORE continues at the present time. Instructions that its model has begun are begun again. */
static void catch_up(struct machine *machine, struct core *core)
{
    core_account(core);
    machine->off_time[core->number] += machine->now - core->s.cycle;
    core->s.cycle = core->charged_cycle = machine->now;
    core->model_ops->invalidate_all(core->model);
}

void machine_hold_end(struct machine *machine)
{
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (core->left_behind && schedule_is_ready(core) && core->s.cycle < machine->now)
            catch_up(machine, core);
        core->held = core->left_behind = false;
    }
    machine->hold.active = false;
}

bool machine_hold_stops_some(const struct machine *machine)
{
    for (unsigned i = 0; machine->hold.active && i < machine->cpus; i++) {
        if (machine->cores[i]->held && schedule_is_ready(machine->cores[i]))
            return true;
    }
    return false;
}
