/* What a run consists of. Inline, because with several processors a run is some hundred instructions. */
#ifndef SIMOS_CPU_INORDER_RUN_H
#define SIMOS_CPU_INORDER_RUN_H

#include "cpu/inorder/inorder.h"

/* What was written to $zero, where the last branch went that was interpreted, and what is noted of an instruction that
 * is not the next one, is of no use, and depends on where a model happened to stop before: it must not show in a
 * checkpoint. */
static inline void inorder_forget_leftovers(struct core *core)
{
    core->s.gpr[GPR_SINK] = 0;
    if (!core->s.in_delay_slot)
        core->s.branch_target = 0;
    if (core->resume.fetched_pc == core->s.pc)
        return;
    core->resume.fetched_pc = CORE_NOWHERE;
    core->resume.fetched_line = 0;
}

/* A model's run() (model.h): EXECUTE(MODEL) executes from s.pc until the budget is used up or the core wants attention.
 */
static inline __attribute__((always_inline)) void inorder_run(struct inorder *in, cycles until,
                                                              void (*execute)(void *model), void *model)
{
    struct core *core = in->core;
    struct cpu *s = &core->s;
    in->synced_cycle = s->cycle;
    in->synced_stalls = in->stalls;
    in->running = true;
    if (s->pc != core->resume.hook_pc)
        core->resume.hook_stopped = false;
    /* A next event at another time is another turn for others too: they are asked in the same order as when a run ends
     * here for another reason. */
    const cycles horizon = event_queue_next(core->queue);
    bool same_horizon = true;
    while (s->cycle < until && !core->stop && !s->waiting && same_horizon) {
        in->end = until;
        in->budget = (int64_t)(until - s->cycle);
        core->attention = false;
        if (interrupt_pending(core)) {
            core->resume.hook_stopped = false;
            core->resume.fetched_pc = CORE_NOWHERE;
            interrupt_enter(core, s->pc, s->in_delay_slot);
        }
        execute(model);
        inorder_sync(in);
        same_horizon = event_queue_next(core->queue) == horizon;
    }
    in->running = false;
    inorder_forget_leftovers(core);
    if (s->ll_bit && core->cpus > 1)
        core_watch_link(core);
}

#endif
