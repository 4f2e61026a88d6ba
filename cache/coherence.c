#include "cache/coherence.h"

#include "src/log.h"

/* CPUs other than CPU that hold LINE. A machine of one CPU keeps no directory. */
static uint32_t other_holders(const struct memsys *memsys, unsigned cpu, paddr line)
{
    return memsys->cpus > 1 ? directory_holders(&memsys->directory, line) & ~(1u << cpu) : 0;
}

/* All CPUs that hold LINE. */
static uint32_t holders(const struct memsys *memsys, paddr line)
{
    if (memsys->cpus > 1)
        return directory_holders(&memsys->directory, line);
    return tags_find(&memsys->cpu[0].l2, line) != TAGS_NOWHERE;
}

static unsigned take_lowest(uint32_t *set)
{
    unsigned cpu = (unsigned)__builtin_ctz(*set);
    *set &= *set - 1;
    return cpu;
}

/* The entry of a line that the directory says CPU holds. */
static uint32_t held_entry(const struct memsys *memsys, unsigned cpu, paddr line)
{
    uint32_t entry = tags_find(&memsys->cpu[cpu].l2, line);
    if (entry == TAGS_NOWHERE)
        log_bug("the directory says cpu%u holds line 0x%08x, but its cache does not", cpu, line);
    return entry;
}

static void write_back(struct memsys *memsys, unsigned cpu)
{
    memsys->cpu[cpu].counts.l2_coherence_write_backs++;
    memsys->memory_write_backs++;
}

void coherence_read(struct memsys *memsys, unsigned cpu, paddr line)
{
    uint32_t others = other_holders(memsys, cpu, line);
    /* A dirty line has one holder. */
    if (others && !(others & (others - 1))) {
        unsigned owner = take_lowest(&others);
        uint32_t entry = held_entry(memsys, owner, line);
        if (memsys->cpu[owner].l2.state[entry] == LINE_DIRTY) {
            hierarchy_share(memsys, owner, entry);
            memsys->cpu[owner].counts.l2_interventions++;
            write_back(memsys, owner);
            return;
        }
    }
    memsys->memory_fills++;
}

void coherence_own(struct memsys *memsys, unsigned cpu, paddr line)
{
    uint32_t others = other_holders(memsys, cpu, line);
    bool supplied = false;
    while (others) {
        unsigned other = take_lowest(&others);
        struct cache_counts *counts = &memsys->cpu[other].counts;
        if (hierarchy_remove(memsys, other, held_entry(memsys, other, line), DATA_KEPT) == LINE_DIRTY) {
            counts->l2_interventions++;
            supplied = true;
        }
        counts->l2_invalidations++;
    }
    if (!supplied)
        memsys->memory_fills++;
}

void coherence_upgrade(struct memsys *memsys, unsigned cpu, paddr line)
{
    uint32_t others = other_holders(memsys, cpu, line);
    while (others) {
        unsigned other = take_lowest(&others);
        if (hierarchy_remove(memsys, other, held_entry(memsys, other, line), DATA_KEPT) == LINE_DIRTY)
            log_bug("line 0x%08x is shared in cpu%u and dirty in cpu%u", line, cpu, other);
        memsys->cpu[other].counts.l2_invalidations++;
    }
}

void coherence_device_read(struct memsys *memsys, paddr line)
{
    uint32_t all = holders(memsys, line);
    if (!all || all & (all - 1))
        return; /* absent, or shared by several: memory is up to date */
    unsigned owner = take_lowest(&all);
    uint32_t entry = held_entry(memsys, owner, line);
    if (memsys->cpu[owner].l2.state[entry] == LINE_DIRTY) {
        hierarchy_share(memsys, owner, entry);
        write_back(memsys, owner);
    }
}

void coherence_device_write(struct memsys *memsys, paddr line, bool whole)
{
    uint32_t all = holders(memsys, line);
    while (all) {
        unsigned holder = take_lowest(&all);
        enum data_fate fate = whole ? DATA_DROPPED : DATA_KEPT;
        if (hierarchy_remove(memsys, holder, held_entry(memsys, holder, line), fate) == LINE_DIRTY && !whole)
            write_back(memsys, holder);
        memsys->cpu[holder].counts.l2_dma_invalidations++;
    }
}
