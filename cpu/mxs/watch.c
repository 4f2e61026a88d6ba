#include "cpu/mxs/watch.h"

#include "cpu/mxs/memory.h"
#include "cpu/mxs/window.h"
#include "cpu/observe/cycle_watch.h"

void mxs_watch_instructions(struct mxs *m, vaddr first)
{
    core_account(m->core);
    cycle_watch_step(m->core, first, true);
}

void mxs_watch_cycle(struct mxs *m, bool full, vaddr first)
{
    struct core *core = m->core;
    core_account(core);
    if (!full && !mxs_is_empty(m)) {
        const struct mxs_entry *e = mxs_entry_at(m, m->words, m->oldest);
        core->watch->has_address = false;
        if (isa_table[e->op->id].flags & (INSN_LOAD | INSN_STORE))
            cycle_watch_access(core->watch, mxs_access_address(m, e));
    }
    cycle_watch_step(core, full ? first : core->s.pc, true);
}
