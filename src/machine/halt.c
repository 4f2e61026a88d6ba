#include "src/machine/halt.h"

#include "src/machine/machine_end.h"
#include "src/base/symbols.h"

static void end(struct machine *machine, const char *how)
{
    if (machine->panic.text[0])
        return;
    machine->halted = how;
    machine_request_exit(machine, 0);
}

static bool powers_off(void *opaque, struct core *core)
{
    (void)core;
    end(opaque, "powered off");
    return false;
}

static bool halts(void *opaque, struct core *core)
{
    (void)core;
    end(opaque, "halted");
    return false;
}

static void watch(struct machine *machine, const char *routine, pc_hook_fn *hook)
{
    const struct symbol *symbol = symbols_find(machine->symbols, routine);
    for (unsigned i = 0; symbol && i < machine->cpus; i++)
        core_hook_add(machine->cores[i], symbol->address, hook, machine);
}

void halt_watch(struct machine *machine)
{
    watch(machine, "machine_power_off", powers_off);
    watch(machine, "machine_halt", halts);
}
