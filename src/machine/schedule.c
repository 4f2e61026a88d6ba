#include "src/machine/schedule.h"

struct core *schedule_laggard(const struct machine *machine)
{
    struct core *laggard = NULL;
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (schedule_has_time(core) && (!laggard || core->s.cycle < laggard->s.cycle))
            laggard = core;
    }
    return laggard;
}

struct core *schedule_next(const struct machine *machine, const struct core *laggard, cycles horizon)
{
    if (!laggard || laggard->s.cycle >= horizon)
        return NULL;
    const cycles end = schedule_earlier(horizon, schedule_quantum_end(machine, laggard->s.cycle));
    for (unsigned i = 0; i < machine->cpus; i++) {
        struct core *core = machine->cores[i];
        if (schedule_may_run(core) && core->s.cycle < end)
            return core;
    }
    return NULL;
}

bool schedule_is_alone(const struct machine *machine, const struct core *core)
{
    for (unsigned i = 0; i < machine->cpus; i++)
        if (machine->cores[i] != core && schedule_may_run(machine->cores[i]))
            return false;
    return true;
}

cycles machine_now(const struct machine *machine)
{
    const struct core *core = schedule_laggard(machine);
    return core && core->s.cycle > machine->now ? core->s.cycle : machine->now;
}

cycles schedule_present(const struct machine *machine)
{
    const struct core *laggard = schedule_laggard(machine);
    cycles present = machine->now;
    if (laggard)
        return laggard->s.cycle > present ? laggard->s.cycle : present;
    for (unsigned i = 0; i < machine->cpus; i++) {
        const struct core *core = machine->cores[i];
        if (core->s.running && core->s.cycle > present)
            present = core->s.cycle;
    }
    return present;
}

uint64_t machine_insns(const struct machine *machine)
{
    uint64_t insns = 0;
    for (unsigned i = 0; i < machine->cpus; i++)
        insns += machine->cores[i]->s.insns;
    return insns;
}
