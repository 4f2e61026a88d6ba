/*
 * Graduation of whatever comes: the oldest instructions, if they are done, change the architectural state, in order.
 * Most graduate in cycle.inc.
 */
#include "cpu/mxs/memory.h"
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
    return e->number >= m->outdated || (e->pc >> 30 == 2 && !(e->queued && e->mapped));
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

/* False: memory has changed under a load. */
static bool finish_access(struct mxs *m, const struct mxs_entry *e)
{
    if ((e->op->flags & OP_LOAD) && !memory_load_graduate(m, e))
        return false;
    memory_leave(m, e);
    if (e->op->flags & OP_STORE) {
        memory_store_graduate(m, e);
        mxs_window_unpark(m);
    }
    return true;
}

static void redo(struct mxs *m, cycles now)
{
    m->active = true;
    mxs_fetch_restart(m, now + m->config.redirect_delay, LOST_REPLAYED);
}

/* Memory has changed under the load E: all behind it is void, and it executes alone. Fetched again it would find that
 * memory has changed again, as long as another CPU stores there more often than a line takes to come. */
static void read_now(struct mxs *m, struct mxs_entry *e)
{
    const struct mxs_prediction *undone = mxs_fetch_undone(m);
    m->counts->changed++;
    m->active = true;
    if (undone != NULL)
        mxs_predictor_undo(m->predictor, undone);
    mxs_window_squash(m, e->number + 1);
    m->fetch.stopped = true;
    e->head = true;
    e->done_at = CYCLES_NEVER;
}

/* The oldest instruction E, whatever it is. False: the cycle's graduation ends; so does the run unless GOES_ON. */
static bool graduate_one(struct mxs *m, struct mxs_entry *e, cycles now, bool *goes_on)
{
    struct core *core = m->core;
    if (e->head ? m->graduated > 0 || now < e->issue_from : !mxs_is_done(e, now))
        return false;
    if (!is_valid(m, e)) {
        redo(m, now);
        return false;
    }
    if (SIM_UNLIKELY(e->op->flags & OP_HOOKED) && !run_hooks(m, e)) {
        *goes_on = !core->stop;
        return false;
    }
    if (e->head) {
        mxs_head_execute(m, e, now);
        return false;
    }
    if (SIM_UNLIKELY(m->checker != NULL))
        mxs_checker_before(m->checker, core, e);
    if (e->queued && !finish_access(m, e)) {
        read_now(m, e);
        return false;
    }
    write_results(m, e);
    mxs_advance(&core->s, e);
    if (SIM_UNLIKELY(m->checker != NULL))
        mxs_checker_after(m->checker, core, e);
    remove_oldest(m, e);
    if (m->restart)
        return false;
    *goes_on = !core->stop; /* who was told of the access wants the run to end behind it */
    return *goes_on;
}

bool mxs_graduate(struct mxs *m, cycles now)
{
    struct core *core = m->core;
    bool goes_on = true;
    while (m->graduated < m->config.graduate_width && !m->alone) {
        if (core->s.insns >= core->insns_end)
            return false;
        if (mxs_is_empty(m) || !graduate_one(m, mxs_entry_at(m, m->oldest), now, &goes_on))
            return goes_on;
    }
    return true;
}
