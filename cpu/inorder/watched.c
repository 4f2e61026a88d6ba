/* Instructions as a cycle watch sees them (cpu/observe/cycle_watch.h): interpreted one by one. */
#include "cpu/inorder/inorder.h"

static enum inorder_step watched_step(struct inorder *in)
{
    struct core *core = in->core;
    const vaddr pc = core->s.pc;
    const enum mode mode = core->mode;
    const uint64_t stalls = in->stalls;
    const int64_t budget = in->budget;
    const enum inorder_step how = inorder_step(in, false);
    if (SIM_LIKELY(in->stalls == stalls && in->budget == budget - 1 && core->mode == mode) &&
        cycle_watch_simple(core->watch, pc, mode))
        return how;
    inorder_sync(in);
    core_account(core);
    /* cycles that are taken back have not passed: the number of instructions stays, as they are no stalls either */
    const cycles back = cycle_watch_step(core, pc, false);
    in->budget += (int64_t)back;
    in->stalls -= back;
    return how;
}

/* Instructions executed so far (inorder_sync()). */
static uint64_t insns(const struct inorder *in)
{
    return in->insns_offset + ((cycles)((int64_t)in->end - in->budget) - in->stalls);
}

void inorder_execute_watched(void *model)
{
    struct inorder *in = model;
    while (in->budget > 0 && watched_step(in) != INORDER_LEAVE && insns(in) < in->core->insns_end)
        ;
}
