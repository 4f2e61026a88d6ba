/* The CACHE instruction on the modelled tags: memsys_cache_op. */
#include "cache/hierarchy.h"

static void first_level_op(struct cpu_caches *caches, struct l1_cache *l1, enum memsys_cache_op op, paddr address)
{
    paddr line = address & l1->line_mask;
    switch (op) {
    case MEMSYS_HIT_INVALIDATE: l1_remove(l1, line); break;
    case MEMSYS_HIT_WRITEBACK: caches->counts.l1d_write_backs += l1_clean(l1, line) == L1_DIRTY; break;
    case MEMSYS_HIT_WRITEBACK_INVALIDATE: caches->counts.l1d_write_backs += l1_remove(l1, line) == L1_DIRTY; break;
    case MEMSYS_INDEX_INVALIDATE: {
        uint32_t first = l1_first(l1, address);
        /* Valid entries come first, so taking out the first one until there is none empties the set. */
        while (l1->tag[first] != L1_INVALID)
            caches->counts.l1d_write_backs += l1_remove(l1, l1->tag[first]) == L1_DIRTY;
        break;
    }
    }
}

static void count_write_back(struct memsys *memsys, unsigned cpu)
{
    memsys->cpu[cpu].counts.l2_write_backs++;
    memsys->memory_write_backs++;
}

static void second_level_op(struct memsys *memsys, unsigned cpu, enum memsys_cache_op op, paddr address)
{
    struct tags *l2 = &memsys->cpu[cpu].l2;
    uint32_t entry = tags_find(l2, address & l2->line_mask);
    switch (op) {
    case MEMSYS_HIT_INVALIDATE:
        if (entry != TAGS_NOWHERE)
            hierarchy_remove(memsys, cpu, entry, DATA_DROPPED);
        break;
    case MEMSYS_HIT_WRITEBACK:
        if (entry != TAGS_NOWHERE && l2->state[entry] == LINE_DIRTY) {
            hierarchy_share(memsys, cpu, entry);
            count_write_back(memsys, cpu);
        }
        break;
    case MEMSYS_HIT_WRITEBACK_INVALIDATE:
        if (entry != TAGS_NOWHERE && hierarchy_remove(memsys, cpu, entry, DATA_KEPT) == LINE_DIRTY)
            count_write_back(memsys, cpu);
        break;
    case MEMSYS_INDEX_INVALIDATE: {
        uint32_t first = tags_first(l2, address);
        while (l2->state[first] != LINE_INVALID) {
            if (hierarchy_remove(memsys, cpu, first, DATA_KEPT) == LINE_DIRTY)
                count_write_back(memsys, cpu);
        }
        break;
    }
    }
}

void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     paddr address)
{
    if (memsys->flat)
        return;
    struct cpu_caches *caches = &memsys->cpu[cpu];
    switch (cache) {
    case MEMSYS_L1I: first_level_op(caches, &caches->l1i, op, address); break;
    case MEMSYS_L1D: first_level_op(caches, &caches->l1d, op, address); break;
    case MEMSYS_L2: second_level_op(memsys, cpu, op, address); break;
    }
}
