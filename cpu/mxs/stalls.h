/*
 * Attribution of lost cycles, at graduation (SOSP'95 section 3.3): "If the graduation unit cannot proceed due to a load
 * or store instruction that missed in the data cache, we record this as data cache stall. If the entire instruction
 * window is empty and the fetch unit is stalled on an instruction cache miss, we record an instruction cache stall.
 * Finally, any other condition is attributed to pipeline stall."
 */
#ifndef SIMOS_CPU_MXS_STALLS_H
#define SIMOS_CPU_MXS_STALLS_H

#include "cpu/mxs/window.h"

/* Reason why E, the oldest entry and not serialising, cannot graduate. */
MXS_INLINE unsigned mxs_reason_of(const struct mxs *m, unsigned words, const struct mxs_entry *e, cycles now)
{
    const struct mxs_fetch *f = &m->fetch;
    const uint32_t slot = mxs_slot_of(words, e->number);
    const bool executes = e->done_at != CYCLES_NEVER;
    if (e->missed && (executes ? e->done_at > now : mxs_set_has(m->lsq_waiting, slot)))
        return lost_of_stall(e->stall);
    if (e->number == f->redirected_at && f->redirect_cause != LOST_FETCH)
        return f->redirect_cause;
    if (mxs_set_has(m->ready, slot))
        return LOST_UNITS;
    return mxs_is_done(e, now) ? LOST_FETCH : LOST_DEPENDENCE;
}

/* Reason why the oldest instruction cannot graduate: enum stall or enum mxs_cause. */
MXS_INLINE unsigned mxs_reason(const struct mxs *m, unsigned words, cycles now)
{
    const struct mxs_fetch *f = &m->fetch;
    if (mxs_is_empty(m))
        return f->missing && now < f->resume_at ? lost_of_stall(f->stall) : f->redirect_cause;
    const struct mxs_entry *e = mxs_entry_at(m, words, m->oldest);
    if (now < e->issue_from)
        return e->number >= f->redirected_at ? f->redirect_cause : LOST_FETCH;
    if (SIM_UNLIKELY(e->serialising && m->walk.holds == e->number))
        return lost_of_stall(STALL_PAGE_WALK);
    return e->serialising ? LOST_SERIALISED : mxs_reason_of(m, words, e, now);
}

/* Count DURATION cycles lost for reason WHY; in a single cycle GRADUATED instructions may nevertheless have
 * graduated. */
static inline void mxs_count_lost(struct mxs *m, unsigned why, cycles duration, unsigned graduated)
{
    m->counts->stall_cycles[why] += duration;
    m->counts->lost_slots[why] += duration * m->config.graduate_width - graduated;
}

/* Charge DURATION cycles from NOW on that graduated less than the full width (m->graduated instructions). */
MXS_INLINE void mxs_charge(struct mxs *m, unsigned words, cycles now, cycles duration)
{
    const unsigned why = mxs_reason(m, words, now);
    m->counts->cycles += duration;
    mxs_count_lost(m, why, duration, m->graduated);
    if (lost_is_stall(why))
        m->core->bucket->stall[lost_stall(why)] += duration;
    else
        m->core->bucket->pipeline[why - LOST_MEMORY] += duration;
    if (SIM_UNLIKELY(m->profiled)) {
        const struct memsys_profile_keys place = mxs_profile_oldest(m);
        mxs_profile_lost(m, &place, why, duration);
    }
}

#endif
