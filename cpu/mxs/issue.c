/* Which of the instructions that are ready begin to execute in a cycle: the oldest first. */
#include "cpu/mxs/execute.h"
#include "cpu/mxs/units.h"
#include "cpu/mxs/window.h"

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

static inline void begin(struct mxs *m, struct mxs_entry *e, uint32_t slot, cycles now)
{
    mxs_execute_fn *execute = (mxs_execute_fn *)(uintptr_t)e->op->insn.run;
    mxs_set_remove(m->ready, slot);
    if (SIM_UNLIKELY(m->viewer != NULL))
        mxs_viewer_issue(m->viewer, e->number, now);
    switch (execute(m, e, now)) {
    case MXS_FINISHED:
        e->done_at = now + e->op->latency;
        window_issued(m, e, slot);
        break;
    case MXS_ACCESSED: window_issued(m, e, slot); break;
    case MXS_IRREGULAR: e->head = true; break;
    case MXS_LATER: break;
    }
}

void mxs_issue(struct mxs *m, cycles now)
{
    const unsigned width = m->config.issue_width;
    unsigned issued = 0, accesses = 0;
    m->active = true;
    for (uint64_t number = mxs_set_next(m, m->ready, m->oldest); number < m->next;
         number = mxs_set_next(m, m->ready, number + 1)) {
        const uint32_t slot = (uint32_t)number & m->slot_mask;
        struct mxs_entry *e = &m->entry[slot];
        const unsigned access = (e->op->flags & OP_MEMORY) != 0;
        if (access > m->config.data_ports - accesses)
            continue;
        if (SIM_UNLIKELY(m->has_units) && !take_unit(m, e, now))
            continue;
        accesses += access;
        begin(m, e, slot, now);
        if (++issued == width)
            break;
    }
    m->counts->issued += issued;
}
