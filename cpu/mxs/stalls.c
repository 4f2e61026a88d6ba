/* Accounting of serialising instructions, and of lost cycles in profiles. */
#include "cpu/mxs/stalls.h"

struct memsys_profile_keys mxs_profile_oldest(const struct mxs *m)
{
    const struct core *core = m->core;
    const struct mxs_entry *e = mxs_entry_at(m, m->words, m->oldest);
    const bool accesses = !mxs_is_empty(m) && (isa_table[e->op->id].flags & (INSN_LOAD | INSN_STORE));
    return memsys_profile_keys_of(m->in.memsys, core->number, core->s.pc, accesses,
                                  accesses ? mxs_access_address(m, e) : 0);
}

void mxs_profile_lost(struct mxs *m, const struct memsys_profile_keys *place, unsigned why, cycles duration)
{
    const bool insn = why == STALL_L1I || why == STALL_L2I;
    memsys_profile_charge(m->in.memsys, place,
                          !lost_is_stall(why) ? MEMSYS_WAIT_PIPELINE
                          : insn              ? MEMSYS_WAIT_INSN
                                              : MEMSYS_WAIT_DATA,
                          duration);
}

void mxs_charge_serialised(struct mxs *m)
{
    m->counts->cycles++;
    if (m->config.graduate_width == 1) {
        m->counts->full_cycles++;
        return;
    }
    mxs_count_lost(m, LOST_SERIALISED, 1, 1);
    m->core->bucket->pipeline[PIPELINE_SERIALISED]++;
    if (SIM_UNLIKELY(m->profiled)) {
        const struct memsys_profile_keys place = mxs_profile_oldest(m);
        mxs_profile_lost(m, &place, LOST_SERIALISED, 1);
    }
}

void mxs_charge_hooks(struct mxs *m, cycles duration, unsigned graduated, vaddr pc)
{
    m->counts->cycles += duration;
    mxs_count_lost(m, LOST_SERIALISED, duration, graduated);
    m->core->bucket->pipeline[PIPELINE_SERIALISED] += duration;
    if (SIM_UNLIKELY(m->profiled)) {
        const struct memsys_profile_keys place = memsys_profile_keys_of(m->in.memsys, m->core->number, pc, false, 0);
        mxs_profile_lost(m, &place, LOST_SERIALISED, duration);
    }
}

void mxs_count_serialised(struct mxs *m, const uint64_t before[STALL_COUNT], const uint64_t after[STALL_COUNT],
                          const struct memsys_profile_keys *place)
{
    for (unsigned i = 0; i < STALL_COUNT; i++) {
        const cycles stall = after[i] - before[i];
        m->counts->cycles += stall;
        mxs_count_lost(m, lost_of_stall(i), stall, 0);
        if (m->profiled && stall > 0)
            mxs_profile_lost(m, place, lost_of_stall(i), stall);
    }
}
