/* memsys_short_cut: the commonest hierarchy, laid open. */
#include "cache/engine.h"

bool memsys_short_cut(struct memsys *memsys, unsigned cpu, enum memsys_access access, struct memsys_short_cut *cut)
{
    if (memsys->levels != 2 || !memsys->may_short_cut)
        return false;
    struct array *l1 = memsys->first[access != MEMSYS_FETCH][cpu], *l2 = l1->next;
    if (l1->by_virtual || l1->hashed || l1->policy != REPLACE_LRU || l1->ways != 2 || l1->through || l2->ways != 1 ||
        l2->hashed || l2->by_virtual || l2->hit_time > INT32_MAX)
        return false;
    *cut = (struct memsys_short_cut){.open = &memsys->unwatched,
                                     .word = l1->word,
                                     .history = l1->history,
                                     .last = l1->last,
                                     .quick = l1->quick,
                                     .misses = l1->counts.misses,
                                     .write_backs = &l1->counts.write_backs,
                                     .outer = l2->word,
                                     .inner = l2->inner,
                                     .line_shift = l1->line_shift,
                                     .set_mask = l1->set_mask,
                                     .outer_shift = l2->line_shift,
                                     .outer_mask = l2->set_mask,
                                     .part_shift = l2->part_shift,
                                     .time = (uint32_t)l2->hit_time};
    return true;
}
