#include "cache/hierarchy.h"

static inline bool shared_machine(const struct memsys *memsys)
{
    return memsys->cpus > 1;
}

static void remove_first_level(struct cpu_caches *caches, paddr line, enum data_fate fate)
{
    /* 64-bit arithmetic: the last line of the address space ends at 2^32. */
    uint64_t end = (uint64_t)line + (1u << caches->l2.line_shift);
    for (uint64_t part = line; part < end; part += 1u << caches->l1i.line_shift)
        caches->counts.l1i_invalidations += l1_remove(&caches->l1i, (paddr)part) != L1_ABSENT;
    for (uint64_t part = line; part < end; part += 1u << caches->l1d.line_shift) {
        enum l1_found found = l1_remove(&caches->l1d, (paddr)part);
        caches->counts.l1d_invalidations += found != L1_ABSENT;
        caches->counts.l1d_write_backs += found == L1_DIRTY && fate == DATA_KEPT;
    }
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
    uint64_t line = caches->l2.tag[entry];
    uint64_t end = line + (1u << caches->l2.line_shift);
    if (caches->l2.state[entry] != LINE_DIRTY)
        return;
    caches->l2.state[entry] = LINE_SHARED;
    for (uint64_t part = line; part < end; part += 1u << caches->l1d.line_shift)
        caches->counts.l1d_write_backs += l1_clean(&caches->l1d, (paddr)part) == L1_DIRTY;
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
