/*
 * Graduation with all special cases: the oldest instructions, if done, change the architectural state, in order. Most
 * instructions graduate in cycle.c.
 */
#include "cpu/observe/executions.h"
#include "cpu/mxs/memory.h"
#include "cpu/mxs/probe.h"
#include "cpu/mxs/walk.h"
#include <stddef.h>
#include <string.h>

static void write_results(struct mxs *m, const struct mxs_entry *e)
{
    enum { CAUSE = 0x3f << 12, FLAGS = 0x1f << 2 };
    struct cpu *s = &m->core->s;
    for (unsigned i = 0; i < e->op->results; i++)
        mxs_register_write(m, e->result_name[i], e->result[i]);
    if (e->op->flags & OP_FCSR)
        s->fcr31 = (s->fcr31 & ~(uint32_t)CAUSE) | (e->fcsr & (CAUSE | FLAGS));
}

/* Call the hooks at E, unless they were already called. False: they stopped the run, or changed state that E and
 * younger entries depend on. */
static bool run_hooks(struct mxs *m, const struct mxs_entry *e)
{
    struct core *core = m->core;
    struct core_resume *resume = &core->resume;
    enum { REGISTERS = offsetof(struct cpu, cp0) };
    uint8_t before[REGISTERS];
    if (!core_hook_present(core, e->pc) || (resume->hook_stopped && resume->hook_pc == e->pc))
        return true;
    memcpy(before, &core->s, REGISTERS);
    const bool stop = core_hook_run(core, e->pc);
    mxs_checker_disturb(m->checker);
    *resume = (struct core_resume){.hook_stopped = true, .hook_pc = e->pc, .fetched_pc = CORE_NO_PC};
    if (stop)
        core->stop = true;
    if (memcmp(before, &core->s, REGISTERS) != 0)
        m->squash_pending = true;
    return !stop && !m->squash_pending;
}

/* Is E the next instruction in program order, fetched with valid translations? */
static bool is_valid(const struct mxs *m, const struct mxs_entry *e)
{
    const struct cpu *s = &m->core->s;
    if (e->pc != s->pc || e->in_slot != s->in_delay_slot)
        return false;
    return e->number >= m->outdated || (vaddr_is_unmapped(e->pc) && !(e->queued && e->mapped));
}

static inline void remove_oldest(struct mxs *m, const struct mxs_entry *e)
{
    if (SIM_UNLIKELY(m->viewer != NULL))
        mxs_viewer_graduate(m->viewer, e->number, e->done_at, m->core->s.cycle);
    m->oldest++;
    m->core->s.insns++;
    m->core->resume.hook_stopped = false;
    m->graduated++;
}

/* E, which has graduated in the cycle NOW, takes the DURATION of its hooks: the cycle ends, and so many more follow in
 * which nothing does. */
static void take_hook_cycles(struct mxs *m, const struct mxs_entry *e, cycles duration, cycles now)
{
    if (m->graduated < m->config.graduate_width) {
        mxs_charge_hooks(m, 1 + duration, m->graduated, e->pc);
    } else {
        m->counts->cycles++;
        m->counts->full_cycles++;
        mxs_charge_hooks(m, duration, 0, e->pc);
    }
    if (SIM_UNLIKELY(m->probe != NULL))
        mxs_probe_hooked(m, duration);
    m->core->s.cycle = now + 1 + duration;
    m->serialised = true;
}

static void refetch(struct mxs *m, cycles now)
{
    m->did_work = true;
    mxs_fetch_restart(m, now + m->config.redirect_delay, LOST_REPLAYED);
}

/* Memory has changed since load E read it: squash all younger entries and execute E at the head. If it were fetched
 * again instead, it could fail repeatedly, as long as another CPU stores to the line more often than a miss takes. */
static void reexecute_load(struct mxs *m, struct mxs_entry *e)
{
    const struct mxs_prediction *undone = mxs_fetch_oldest_prediction(m, m->oldest);
    m->counts->load_value_changed++;
    m->did_work = true;
    if (undone != NULL)
        mxs_predictor_undo(m->predictor, undone);
    mxs_window_squash(m, e->number + 1);
    m->fetch.stopped = true;
    e->serialising = true;
    e->done_at = CYCLES_NEVER;
}

/* Graduate E, the oldest entry, whatever it is. False: graduation ends for this cycle; the run ends too unless
 * *GOES_ON. */
static bool graduate_one(struct mxs *m, struct mxs_entry *e, cycles now, bool *goes_on)
{
    struct core *core = m->core;
    if (e->serialising ? m->graduated > 0 || now < e->issue_from : !mxs_is_done(e, now))
        return false;
    if (!is_valid(m, e)) {
        refetch(m, now);
        return false;
    }
    if (SIM_UNLIKELY(e->op->flags & OP_HOOKED) && !run_hooks(m, e)) {
        *goes_on = !core->stop;
        return false;
    }
    if (e->serialising && SIM_UNLIKELY(core->tlb_walks) && mxs_walk_head(m, e, now) != MXS_WALK_NONE)
        return false;
    if (e->serialising) {
        mxs_head_execute(m, e, now);
        return false;
    }
    if (SIM_UNLIKELY(m->checker != NULL))
        mxs_checker_before(m->checker, core, e);
    const cycles hooked = e->op->flags & OP_HOOKED ? core_hook_duration(core, e->pc) : 0;
    if (e->queued && !memory_graduate(m, m->words, e, e->op->flags)) {
        reexecute_load(m, e);
        return false;
    }
    if (SIM_UNLIKELY(core->executions != NULL))
        executions_insn(core, e->pc, (enum isa_id)e->op->id, &e->op->insn);
    if (SIM_UNLIKELY(m->probe != NULL))
        mxs_probe_graduates(m, e, hooked > 0, now);
    write_results(m, e);
    mxs_advance(&core->s, e);
    if (SIM_UNLIKELY(core->executions != NULL))
        executions_transfer(core, e->pc, (enum isa_id)e->op->id, e->in_slot);
    if (SIM_UNLIKELY(m->checker != NULL))
        mxs_checker_after(m->checker, core, e);
    remove_oldest(m, e);
    if (SIM_UNLIKELY(hooked > 0)) {
        take_hook_cycles(m, e, hooked, now);
        return false;
    }
    if (m->squash_pending)
        return false;
    *goes_on = !core->stop; /* an observer of the access requested the end of the run after it */
    return *goes_on;
}

bool mxs_graduate(struct mxs *m, cycles now)
{
    struct core *core = m->core;
    bool goes_on = true;
    while (m->graduated < m->config.graduate_width && !m->serialised) {
        if (core->s.insns >= core->insns_end)
            return false;
        if (mxs_is_empty(m) || !graduate_one(m, mxs_entry_at(m, m->words, m->oldest), now, &goes_on))
            return goes_on;
    }
    return true;
}
