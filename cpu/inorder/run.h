/* The structure of a run. Inline, because with several processors a run is only some hundred instructions. */
#ifndef SIMOS_CPU_INORDER_RUN_H
#define SIMOS_CPU_INORDER_RUN_H

#include "cpu/inorder/inorder.h"

/* Clear state that is not meaningful any more and depends on where the model happened to stop: the value written to
 * $zero, the target of the last interpreted branch, the hook that a run has passed, and the fetched line of an
 * instruction that is not the next one. It must not appear in a checkpoint. */
static inline void inorder_clear_transient(struct core *core)
{
    core->s.gpr[GPR_SINK] = 0;
    if (!core->s.in_delay_slot)
        core->s.branch_target = 0;
    core_resume_end(&core->resume);
    if (core->resume.fetched_pc == core->s.pc)
        return;
    core->resume.fetched_pc = CORE_NO_PC;
    core->resume.fetched_line = 0;
}

/* run() of an in-order model (model.h). EXECUTE(MODEL) executes from s.pc until the budget is used up or the core
 * requests attention. */
static inline __attribute__((always_inline)) void inorder_run(struct inorder *in, cycles until,
                                                              void (*execute)(void *model), void *model)
{
    struct core *core = in->core;
    struct cpu *s = &core->s;
    inorder_begin_counting(in, s->cycle);
    in->running = true;
    if (s->pc != core->resume.hook_pc)
        core->resume.hook_stopped = false;
    /* If the core changes the time of the next event, the run ends: the quantum of the other cores changes too, and
     * they must run in the same order as when a run ends here for another reason. */
    const cycles horizon = event_queue_next(core->queue);
    bool same_horizon = true;
    /* only cycles that are taken back (watched.c) let the instructions reach their limit first */
    while (s->cycle < until && s->insns < core->insns_end && !core->stop && !s->waiting && same_horizon) {
        in->end = until;
        in->budget = (int64_t)(until - s->cycle);
        core->attention = false;
        if (interrupt_pending(core)) {
            core->resume.hook_stopped = false;
            core->resume.fetched_pc = CORE_NO_PC;
            interrupt_enter(core, s->pc, s->in_delay_slot);
            if (SIM_UNLIKELY(in->has_costs))
                inorder_pay_entry(in, INTERLOCK_ENTRY);
        }
        execute(model);
        inorder_sync(in);
        same_horizon = event_queue_next(core->queue) == horizon;
    }
    in->running = false;
    inorder_clear_transient(core);
    if (s->ll_bit && core->cpus > 1)
        core_watch_link(core);
}

#endif
