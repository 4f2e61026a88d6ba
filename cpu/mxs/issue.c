/* Allocation of functional units whose number is limited. */
#include "cpu/mxs/mxs.h"
#include "cpu/mxs/units.h"

bool mxs_issue_unit(struct mxs *m, const struct mxs_entry *e, cycles now)
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
