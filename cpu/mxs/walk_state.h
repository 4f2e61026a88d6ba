/* The start of a walk of the page-table walker (walk.h), by what executes or is fetched. */
#ifndef SIMOS_CPU_MXS_WALK_STATE_H
#define SIMOS_CPU_MXS_WALK_STATE_H

#include "cpu/mxs/mxs.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/translation_caches.h"

/* Has a walk been made for ADDRESS in the present address space, or is it in progress? */
static inline bool mxs_walk_is_for(const struct mxs *m, vaddr address)
{
    const struct core *core = m->core;
    const struct mxs_walk *walk = &m->walk;
    return walk->state != MXS_WALK_IDLE && ((walk->address ^ address) & core->architecture->tlb.vpn) == 0 &&
           walk->space == core_asid(core) && walk->base == core->s.cp0[CP0_PWBASE];
}

/* ADDRESS, which is aligned and that of an access or a fetch, needs a walk: start it, unless one is in progress, or has
 * been made for it. */
static inline void mxs_walk_begin(struct mxs *m, vaddr address)
{
    if (m->memory == NULL || m->walk.state == MXS_WALK_LOADING || mxs_walk_is_for(m, address))
        return;
    m->walk = (struct mxs_walk){.state = MXS_WALK_LOADING,
                                .address = address,
                                .base = m->core->s.cp0[CP0_PWBASE],
                                .space = core_asid(m->core),
                                .ready_at = m->core->s.cycle + tlb2_latency(m->core)};
}

#endif
