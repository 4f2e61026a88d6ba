#include "src/machine/machine_power.h"

#include "cpu/privileged/cp0.h"

/* End the run() of the current CPU at the next boundary: it may have been given more than a quantum because it was the
 * only ready CPU. */
static void interrupt_current(struct machine *machine)
{
    if (machine->current)
        machine->current->stop = machine->current->attention = true;
}

void machine_wake(struct machine *machine, struct core *core)
{
    cycles now = machine->queue->now;
    if (now > core->s.cycle)
        core_add_wait(core, now - core->s.cycle);
    cp0_perf_woken(core);
    interrupt_current(machine);
}

static void switch_on(struct machine *machine, struct core *core, vaddr pc)
{
    cycles now = machine->queue->now;
    if (!core->s.running && now > core->s.cycle) {
        core_account(core);
        machine->off_time[core->number] += now - core->s.cycle;
        core->s.cycle = core->charged_cycle = now;
    } else if (core->s.waiting) {
        machine_wake(machine, core);
    }
    core_reset(core, pc);
    core_set_bootstrap(core, pc);
    interrupt_current(machine);
}

static void switch_off(struct machine *machine, struct core *core)
{
    if (core->s.waiting)
        machine_wake(machine, core);
    core->s.running = core->s.waiting = false;
    core_account(core);
}

static void power_later(struct machine *machine, unsigned cpu, vaddr pc)
{
    machine->power_pending[cpu] = true;
    machine->power_pc[cpu] = pc;
    interrupt_current(machine);
}

void machine_power_on(struct machine *machine, unsigned cpu, vaddr pc)
{
    if (machine->cores[cpu] == machine->current)
        power_later(machine, cpu, pc);
    else
        switch_on(machine, machine->cores[cpu], pc);
}

void machine_power_off(struct machine *machine, unsigned cpu)
{
    if (machine->cores[cpu] == machine->current)
        power_later(machine, cpu, 0);
    else
        switch_off(machine, machine->cores[cpu]);
}

void machine_power_settle(struct machine *machine, struct core *core)
{
    if (SIM_LIKELY(!machine->power_pending[core->number]))
        return;
    machine->power_pending[core->number] = false;
    if (machine->power_pc[core->number])
        switch_on(machine, core, machine->power_pc[core->number]);
    else
        switch_off(machine, core);
}
