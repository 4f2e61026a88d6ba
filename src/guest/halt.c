#include "src/guest/halt.h"

static bool powers_off(void *opaque, struct core *core)
{
    const struct halt_watch *watch = opaque;
    (void)core;
    watch->ends(watch->opaque, "powered off");
    return false;
}

static bool halts(void *opaque, struct core *core)
{
    const struct halt_watch *watch = opaque;
    (void)core;
    watch->ends(watch->opaque, "halted");
    return false;
}

static void hook(struct halt_watch *watch, const struct machine_view *view, const char *routine, pc_hook_fn *called)
{
    const struct symbol *symbol = symbols_find(view->symbols, routine);
    for (unsigned i = 0; symbol && i < view->cpus; i++)
        core_hook_add(view->cores[i], symbol->address, called, watch);
}

void halt_watch(struct halt_watch *watch, const struct machine_view *view)
{
    hook(watch, view, "machine_power_off", powers_off);
    hook(watch, view, "machine_halt", halts);
}
