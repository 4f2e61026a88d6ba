/*
 * Where cycles go, decided at graduation (SOSP'95 section 3.3): "If the graduation unit cannot proceed due to a load or
 * store instruction that missed in the data cache, we record this as data cache stall. If the entire instruction window
 * is empty and the fetch unit is stalled on an instruction cache miss, we record an instruction cache stall. Finally,
 * any other condition is attributed to pipeline stall."
 */
#include "cpu/mxs/mxs.h"

/* Why E, which is the oldest and not irregular, cannot graduate. */
static unsigned reason_of(const struct mxs *m, const struct mxs_entry *e, cycles now)
{
    const struct mxs_fetch *f = &m->fetch;
    const uint32_t slot = (uint32_t)e->number & m->slot_mask;
    const bool executes = e->done_at != CYCLES_NEVER;
    if (e->missed && (executes ? e->done_at > now : mxs_set_has(m->parked, slot)))
        return e->stall;
    if (e->number == f->first && f->refill != LOST_FETCH)
        return f->refill;
    if (mxs_set_has(m->ready, slot))
        return LOST_UNITS;
    return mxs_is_done(e, now) ? LOST_FETCH : LOST_DEPENDENCE;
}

/* Why the oldest instruction cannot graduate: enum stall or enum mxs_cause. */
static unsigned reason(const struct mxs *m, cycles now)
{
    const struct mxs_fetch *f = &m->fetch;
    if (mxs_is_empty(m))
        return f->missing && now < f->from ? f->stall : f->refill;
    const struct mxs_entry *e = mxs_entry_at(m, m->oldest);
    if (now < e->issue_from)
        return e->number >= f->first ? f->refill : LOST_FETCH;
    return e->head ? LOST_SERIALISED : reason_of(m, e, now);
}

/* DURATION cycles, or one in which some GRADUATED, are lost to WHY. */
static void count(struct mxs *m, unsigned why, cycles duration, unsigned graduated)
{
    m->counts->stall_cycles[why] += duration;
    m->counts->lost_slots[why] += duration * m->config.graduate_width - graduated;
}

void mxs_charge(struct mxs *m, cycles now, cycles duration)
{
    m->counts->cycles += duration;
    if (m->graduated >= m->config.graduate_width) {
        m->counts->full_cycles++;
        return;
    }
    const unsigned why = reason(m, now);
    count(m, why, duration, m->graduated);
    if (why < STALL_COUNT)
        m->core->bucket->stall[why] += duration;
    else
        m->core->bucket->pipeline[why - LOST_MEMORY] += duration;
}

void mxs_charge_alone(struct mxs *m)
{
    m->counts->cycles++;
    if (m->config.graduate_width == 1) {
        m->counts->full_cycles++;
        return;
    }
    count(m, LOST_SERIALISED, 1, 1);
    m->core->bucket->pipeline[PIPELINE_SERIALISED]++;
}

void mxs_count_alone(struct mxs *m, const uint64_t before[STALL_COUNT], const uint64_t after[STALL_COUNT])
{
    for (unsigned i = 0; i < STALL_COUNT; i++) {
        const cycles stall = after[i] - before[i];
        m->counts->cycles += stall;
        count(m, i, stall, 0);
    }
}
