/*
 * Graduation: the oldest instructions, if they are done, change the architectural state, in order.
 */
#include "cpu/mxs/mxs.h"
#include <stddef.h>
#include <string.h>

static void write_results(struct mxs *m, const struct mxs_entry *e)
{
    enum { CAUSE = 0x3f << 12, FLAGS = 0x1f << 2 };
    struct cpu *s = &m->core->s;
    for (unsigned i = 0; i < e->results; i++)
        mxs_register_write(m, e->result_name[i], e->result[i]);
    if (e->op->flags & OP_FCSR)
        s->fcr31 = (s->fcr31 & ~(uint32_t)CAUSE) | (e->fcsr & (CAUSE | FLAGS));
}

static void advance(struct mxs *m, const struct mxs_entry *e)
{
    struct cpu *s = &m->core->s;
    if (e->op->flags & OP_CONTROL) {
        const bool annuls = (e->op->flags & OP_LIKELY) && !e->taken;
        s->in_delay_slot = !annuls;
        s->branch_target = annuls ? s->branch_target : e->actual;
        s->pc = annuls ? e->pc + 8 : e->pc + 4;
    } else if (e->in_slot) {
        s->in_delay_slot = false;
        s->pc = s->branch_target;
    } else {
        s->pc = e->pc + 4;
    }
}

/* The hooks before E, which has not been called for them yet. False: they stop the run, or have changed what E and
 * those behind it were executed with. */
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
    *resume = (struct core_resume){.hook_stopped = true, .hook_pc = e->pc, .fetched_pc = CORE_NOWHERE};
    if (stop)
        core->stop = true;
    if (memcmp(before, &core->s, REGISTERS) != 0)
        m->restart = true;
    return !stop && !m->restart;
}

/* Does E stand for the instruction that comes next, under what holds now? */
static bool is_valid(const struct mxs *m, const struct mxs_entry *e)
{
    const struct cpu *s = &m->core->s;
    if (e->pc != s->pc || e->in_slot != s->in_delay_slot)
        return false;
    return e->epoch == m->epoch || (e->pc >> 30 == 2 && !(e->queued && e->mapped));
}

static inline void remove_oldest(struct mxs *m, const struct mxs_entry *e)
{
    if (SIM_UNLIKELY(m->viewer != NULL))
        mxs_viewer_graduate(m->viewer, e->number, e->done_at, m->core->s.cycle);
    m->oldest++;
    m->queue_oldest += e->queued;
    m->core->s.insns++;
    m->core->resume.hook_stopped = false;
    m->graduated++;
}

/* Most instructions only write a register. False: E is none of these. */
static inline bool graduate_plain(struct mxs *m, const struct mxs_entry *e)
{
    enum { SPECIAL = OP_MEMORY | OP_CONTROL | OP_FCSR | OP_HOOKED };
    struct cpu *s = &m->core->s;
    if ((e->op->flags & SPECIAL) || e->head || e->pc != s->pc || e->in_slot || s->in_delay_slot ||
        e->epoch != m->epoch || m->checker != NULL || m->viewer != NULL)
        return false;
    for (unsigned i = 0; i < e->results; i++)
        mxs_register_write(m, e->result_name[i], e->result[i]);
    s->pc = e->pc + 4;
    remove_oldest(m, e);
    return true;
}

/* False: memory has changed under a load. */
static bool finish_access(struct mxs *m, const struct mxs_entry *e)
{
    if (e->op->flags & OP_LOAD)
        return mxs_load_graduate(m, e);
    mxs_store_graduate(m, e);
    mxs_window_unpark(m);
    return true;
}

static void redo(struct mxs *m, cycles now)
{
    m->active = true;
    mxs_fetch_restart(m, now + m->config.redirect_delay, LOST_REPLAYED);
}

static bool graduate(struct mxs *m, cycles now)
{
    struct core *core = m->core;
    while (m->graduated < m->config.graduate_width && !m->alone) {
        if (core->s.insns >= core->insns_end)
            return false;
        if (mxs_is_empty(m))
            return true;
        struct mxs_entry *e = mxs_entry_at(m, m->oldest);
        if (e->state == MXS_DONE && SIM_LIKELY(graduate_plain(m, e)))
            continue;
        if (e->head ? m->graduated > 0 || now < e->issue_from : e->state != MXS_DONE)
            return true;
        if (!is_valid(m, e)) {
            redo(m, now);
            return true;
        }
        if (SIM_UNLIKELY(e->op->flags & OP_HOOKED) && !run_hooks(m, e))
            return !core->stop;
        if (e->head) {
            mxs_head_execute(m, e, now);
            return true;
        }
        if (SIM_UNLIKELY(m->checker != NULL))
            mxs_checker_before(m->checker, core, e);
        if (e->queued && !finish_access(m, e)) {
            m->counts->changed++;
            redo(m, now);
            return true;
        }
        write_results(m, e);
        advance(m, e);
        if (SIM_UNLIKELY(m->checker != NULL))
            mxs_checker_after(m->checker, core, e);
        remove_oldest(m, e);
        if (SIM_UNLIKELY(m->restart))
            return true;
    }
    return true;
}

bool mxs_graduate(struct mxs *m, cycles now)
{
    const uint64_t oldest = m->oldest;
    const bool goes_on = graduate(m, now);
    if (m->oldest == oldest)
        return goes_on;
    m->active = true;
    m->counts->graduated += m->oldest - oldest;
    if (m->oldest > m->fetch.first)
        m->fetch.refill = LOST_FETCH;
    return goes_on;
}
