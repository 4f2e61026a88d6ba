#include "src/boards/board_pins.h"

#include "cache/memsys.h"
#include "src/machine/deadlock.h"
#include "src/machine/machine_power.h"

void board_set_pin(void *opaque, unsigned cpu, unsigned pin, bool level)
{
    struct machine *machine = opaque;
    struct core *core = machine->cores[cpu];
    bool waited = core->s.waiting;
    interrupt_set_pin(core, pin, level);
    if (waited && !core->s.waiting)
        machine_wake(machine, core);
}

/* The ASID changes only in kernel mode, so it is current at every switch to user mode. */
void board_mode_changed(void *opaque, struct core *core)
{
    struct machine *machine = opaque;
    memsys_set_context(machine->memsys, core->number, core->mode, core_asid(core));
}

void board_tlb_missed(void *opaque, struct core *core, paddr physical)
{
    struct machine *machine = opaque;
    memsys_tlb_missed(machine->memsys, core->number, physical, core_time(core));
}

void board_fault_repeats(void *opaque, struct core *core)
{
    (void)core;
    deadlock_check(opaque);
}
