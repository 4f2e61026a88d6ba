#include "src/guest/idle_loop.h"

static bool idle_begins(void *opaque, struct core *core)
{
    (void)opaque;
    core_idle_begin(core);
    return false;
}

static bool idle_ends(void *opaque, struct core *core)
{
    (void)opaque;
    core_idle_end(core);
    return false;
}

bool idle_loop_watch(const struct machine_view *view)
{
    const struct symbol *first = symbols_find(view->symbols, "do_idle");
    const struct symbol *last = symbols_find(view->symbols, "schedule_idle");
    if (!first || !last)
        return false;
    for (unsigned i = 0; i < view->cpus; i++) {
        core_hook_add(view->cores[i], first->address, idle_begins, NULL);
        core_hook_add(view->cores[i], last->address, idle_ends, NULL);
    }
    return true;
}
