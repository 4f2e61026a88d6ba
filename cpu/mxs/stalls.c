/* Cycles of instructions that execute alone: where they go. */
#include "cpu/mxs/stalls.h"

void mxs_charge_alone(struct mxs *m)
{
    m->counts->cycles++;
    if (m->config.graduate_width == 1) {
        m->counts->full_cycles++;
        return;
    }
    mxs_count_lost(m, LOST_SERIALISED, 1, 1);
    m->core->bucket->pipeline[PIPELINE_SERIALISED]++;
}

void mxs_count_alone(struct mxs *m, const uint64_t before[STALL_COUNT], const uint64_t after[STALL_COUNT])
{
    for (unsigned i = 0; i < STALL_COUNT; i++) {
        const cycles stall = after[i] - before[i];
        m->counts->cycles += stall;
        mxs_count_lost(m, i, stall, 0);
    }
}
