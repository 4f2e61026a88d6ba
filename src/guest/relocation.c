#include "src/guest/relocation.h"

static bool relocation_done(void *opaque, struct core *core)
{
    const struct relocation_watch *watch = opaque;
    const struct symbol *start = symbols_find(watch->symbols, "start_kernel");
    const uint32_t offset = start ? core_result(core) - start->address : 0;
    core_hook_remove(core, core->s.pc, relocation_done, opaque);
    if (offset != 0)
        watch->moved(watch->opaque, offset);
    return false;
}

static bool relocation_begins(void *opaque, struct core *core)
{
    core_hook_add(core, core_return_address(core), relocation_done, opaque);
    core_hook_remove(core, core->s.pc, relocation_begins, opaque);
    return false;
}

void relocation_watch(struct relocation_watch *watch, const struct machine_view *view)
{
    const struct symbol *mover = symbols_find(view->symbols, "relocate_kernel");
    watch->symbols = view->symbols;
    if (mover)
        core_hook_add(view->cores[0], mover->address, relocation_begins, watch);
}
