#include "cache/hierarchy.h"

static inline bool shared_machine(const struct memsys *memsys)
{
    return memsys->cpus > 1;
}

static void remove_first_level(struct cpu_caches *caches, paddr line, enum data_fate fate)
{
    uint32_t size = 1u << caches->l2.line_shift;
    uint64_t never = 0; /* an instruction cache has no modified lines */
    uint64_t dirty = 0;
    caches->counts.l1i_invalidations += l1_remove_range(&caches->l1i, line, size, &never);
    caches->counts.l1d_invalidations += l1_remove_range(&caches->l1d, line, size, &dirty);
    if (fate == DATA_KEPT)
        caches->counts.l1d_write_backs += dirty;
}

enum line_state hierarchy_remove(struct memsys *memsys, unsigned cpu, uint32_t entry, enum data_fate fate)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    enum line_state state = caches->l2.state[entry];
    paddr line = caches->l2.tag[entry];
    tags_remove(&caches->l2, entry);
    remove_first_level(caches, line, fate);
    if (shared_machine(memsys))
        directory_remove(&memsys->directory, line, cpu);
    return state;
}

void hierarchy_share(struct memsys *memsys, unsigned cpu, uint32_t entry)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    if (caches->l2.state[entry] != LINE_DIRTY)
        return;
    caches->l2.state[entry] = LINE_SHARED;
    l1_clean_range(&caches->l1d, caches->l2.tag[entry], 1u << caches->l2.line_shift, &caches->counts.l1d_write_backs);
}

void hierarchy_insert(struct memsys *memsys, unsigned cpu, paddr line, enum line_state state)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    struct tags_victim victim = tags_insert(&caches->l2, line, (uint8_t)state);
    if (victim.state != LINE_INVALID) {
        remove_first_level(caches, victim.line, DATA_KEPT);
        if (victim.state == LINE_DIRTY) {
            caches->counts.l2_write_backs++;
            memsys->memory_write_backs++;
        }
    }
    if (shared_machine(memsys)) {
        if (victim.state != LINE_INVALID)
            directory_remove(&memsys->directory, victim.line, cpu);
        directory_add(&memsys->directory, line, cpu);
    }
}
