/*
 * Where cycles go, decided at graduation (SOSP'95 section 3.3): "If the graduation unit cannot proceed due to a load or
 * store instruction that missed in the data cache, we record this as data cache stall. If the entire instruction window
 * is empty and the fetch unit is stalled on an instruction cache miss, we record an instruction cache stall. Finally,
 * any other condition is attributed to pipeline stall."
 */
#include "cpu/mxs/mxs.h"

/* Why the oldest instruction cannot graduate: enum stall or enum mxs_cause. */
static unsigned reason(const struct mxs *m, cycles now)
{
    const struct mxs_fetch *f = &m->fetch;
    if (m->alone)
        return LOST_SERIALISED;
    if (mxs_is_empty(m))
        return f->missing && now < f->from ? f->stall : f->refill;
    const struct mxs_entry *e = mxs_entry_at(m, m->oldest);
    if (now < e->issue_from)
        return e->number >= f->first ? f->refill : LOST_FETCH;
    if (e->head)
        return LOST_SERIALISED;
    if (e->queued && e->missed && (e->state == MXS_EXECUTING || e->state == MXS_PARKED))
        return e->stall;
    if (e->number == f->first && f->refill != LOST_FETCH)
        return f->refill;
    return e->state == MXS_READY ? LOST_UNITS : e->state == MXS_DONE ? LOST_FETCH : LOST_DEPENDENCE;
}

void mxs_charge(struct mxs *m, cycles now, cycles duration)
{
    struct mxs_counts *counts = m->counts;
    const unsigned width = m->config.graduate_width;
    counts->cycles += duration;
    if (m->graduated >= width) {
        counts->full_cycles++;
        return;
    }
    const unsigned why = reason(m, now);
    counts->stall_cycles[why] += duration;
    counts->lost_slots[why] += duration * width - m->graduated;
    if (why < STALL_COUNT)
        m->core->bucket->stall[why] += duration;
}
