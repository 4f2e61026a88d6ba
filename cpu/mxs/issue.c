/* Which of the instructions that are ready begin to execute in a cycle: the oldest first. */
#include "cpu/mxs/execute.h"
#include "cpu/mxs/mxs.h"
#include "cpu/mxs/units.h"

/* Take a unit for E at NOW; false if all of its kind are busy. */
static bool take_unit(struct mxs *m, const struct mxs_entry *e, cycles now)
{
    const enum mxs_unit unit = mxs_unit_of[e->op->unit];
    const unsigned count = m->config.units[unit];
    for (unsigned i = 0; i < count; i++)
        if (m->unit_free[unit][i] <= now) {
            m->unit_free[unit][i] = now + (mxs_is_pipelined(e->op->unit) ? 1 : e->op->latency);
            return true;
        }
    return count == 0;
}

/* It is found to be none of the regular ones. */
static void leave_to_head(struct mxs_entry *e)
{
    e->head = true;
    e->state = MXS_WAITING;
}

static void begin(struct mxs *m, struct mxs_entry *e, cycles now)
{
    mxs_execute_fn *execute = (mxs_execute_fn *)(uintptr_t)e->op->insn.run;
    mxs_set_remove(m->ready, (uint32_t)e->number & m->slot_mask);
    if (SIM_UNLIKELY(m->viewer != NULL))
        mxs_viewer_issue(m->viewer, e->number, now);
    switch (execute(m, e, now)) {
    case MXS_FINISHED: mxs_window_schedule(m, e, now + e->op->latency); break;
    case MXS_IRREGULAR: leave_to_head(e); break;
    case MXS_ACCESSED:
    case MXS_LATER: break;
    }
}

void mxs_issue(struct mxs *m, cycles now)
{
    unsigned issued = 0, accesses = 0;
    for (uint64_t number = mxs_set_next(m, m->ready, m->oldest); number < m->next && issued < m->config.issue_width;
         number = mxs_set_next(m, m->ready, number + 1)) {
        struct mxs_entry *e = mxs_entry_at(m, number);
        if (now < e->issue_from)
            break;
        m->active = true;
        if ((e->op->flags & OP_MEMORY) && accesses == m->config.data_ports)
            continue;
        if (SIM_UNLIKELY(m->has_units) && !take_unit(m, e, now))
            continue;
        accesses += (e->op->flags & OP_MEMORY) != 0;
        issued++;
        begin(m, e, now);
    }
    m->counts->issued += issued;
}
