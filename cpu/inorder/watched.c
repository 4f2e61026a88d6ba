/* Instructions as a cycle watch sees them (cpu/observe/cycle_watch.h): interpreted one by one. */
#include "cpu/inorder/inorder.h"

/* Cycles that are taken back have not passed: the number of instructions stays, as they are no stalls either. */
static void take_back(struct inorder *in, cycles back)
{
    in->budget += (int64_t)back;
    in->stalls -= back;
}

static enum inorder_step watched_step(struct inorder *in)
{
    struct core *core = in->core;
    const vaddr pc = core->s.pc;
    const enum mode mode = core->mode;
    const uint64_t stalls = in->stalls;
    const int64_t budget = in->budget;
    in->watched_pc = pc;
    const enum inorder_step how = inorder_step(in, false);
    in->watched_pc = CORE_NO_PC;
    if (SIM_LIKELY(in->stalls == stalls && in->budget == budget - 1 && core->mode == mode) &&
        cycle_watch_simple(core->watch, pc, mode))
        return how;
    inorder_sync(in);
    core_account(core);
    take_back(in, cycle_watch_step(core, pc, false));
    return how;
}

void inorder_sync_watched(struct inorder *in)
{
    const vaddr pc = in->watched_pc;
    if (pc == CORE_NO_PC || !in->core->watch->takes_back)
        return;
    in->watched_pc = CORE_NO_PC; /* what the watch calls may synchronise, too */
    core_account(in->core);
    take_back(in, cycle_watch_step_partly(in->core, pc));
    in->watched_pc = pc;
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
