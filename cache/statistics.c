/* Names and texts of the memory system's counters, and its description in words. */
#include "cache/hierarchy.h"

#include <stddef.h>

struct counter_row {
    const char *name;
    size_t offset; /* in struct cache_counts */
    const char *unit;
    const char *text;
};

#define ROW(NAME, FIELD, UNIT, TEXT)                                                                                   \
    {                                                                                                                  \
        NAME, offsetof(struct cache_counts, FIELD), UNIT, TEXT                                                         \
    }

static const struct counter_row counter_rows[] = {
    ROW("l1i.misses", l1i_misses, "misses", "fetches that missed the first-level instruction cache"),
    ROW("l1i.invalidations", l1i_invalidations, "lines",
        "lines that left because their second-level line did (eviction, coherence, DMA)"),
    ROW("l1d.read_misses", l1d_read_misses, "misses", "loads that missed the first-level data cache"),
    ROW("l1d.write_misses", l1d_write_misses, "misses", "stores that missed the first-level data cache"),
    ROW("l1d.write_backs", l1d_write_backs, "lines", "modified lines written to the second level"),
    ROW("l1d.invalidations", l1d_invalidations, "lines",
        "lines that left because their second-level line did (eviction, coherence, DMA)"),
    ROW("l2.insn_misses", l2_insn_misses, "misses", "fetches that missed the second level"),
    ROW("l2.read_misses", l2_read_misses, "misses", "loads that missed the second level"),
    ROW("l2.write_misses", l2_write_misses, "misses", "stores that missed the second level"),
    ROW("l2.upgrades", l2_upgrades, "requests", "stores that had to ask for the ownership of a shared line"),
    ROW("l2.write_backs", l2_write_backs, "lines", "dirty lines written to memory by eviction or CACHE instructions"),
    ROW("l2.coherence_write_backs", l2_coherence_write_backs, "lines",
        "dirty lines written to memory because another CPU read them or a device accessed them"),
    ROW("l2.interventions", l2_interventions, "lines", "dirty lines supplied to another CPU"),
    ROW("l2.invalidations", l2_invalidations, "lines", "lines lost to another CPU's store"),
    ROW("l2.dma_invalidations", l2_dma_invalidations, "lines", "lines lost to a device's write"),
    ROW("uncached", uncached, "accesses", "uncached and device accesses"),
};

void memsys_register_stats(struct memsys *memsys, struct stats *stats)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        const char *counts = (const char *)&memsys->cpu[cpu].counts;
        for (size_t i = 0; i < sizeof counter_rows / sizeof counter_rows[0]; i++) {
            const struct counter_row *row = &counter_rows[i];
            char name[64];
            snprintf(name, sizeof name, "cpu%u.%s", cpu, row->name);
            stats_counter(stats, name, row->unit, row->text, (const uint64_t *)(const void *)(counts + row->offset));
        }
    }
    stats_counter(stats, "memory.fills", "lines", "lines that memory supplied to caches", &memsys->memory_fills);
    stats_counter(stats, "memory.write_backs", "lines", "lines that caches wrote to memory",
                  &memsys->memory_write_backs);
    stats_counter(stats, "memory.dma_reads", "requests", "coherent reads by devices", &memsys->dma_reads);
    stats_counter(stats, "memory.dma_writes", "requests", "coherent writes by devices", &memsys->dma_writes);
}

static void describe_cache(FILE *out, const char *name, uint32_t sets, uint32_t ways, uint32_t line_shift)
{
    uint64_t size = (uint64_t)sets * ways << line_shift;
    bool megabytes = size >= 1 << 20;
    fprintf(out, "%-5s %llu%c", name, (unsigned long long)(size >> (megabytes ? 20 : 10)), megabytes ? 'M' : 'K');
    if (ways == 1)
        fprintf(out, " direct-mapped");
    else
        fprintf(out, " %u-way LRU", ways);
    fprintf(out, ", %u-byte lines, write-back\n", 1u << line_shift);
}

void memsys_describe(const struct memsys *memsys, FILE *out)
{
    if (memsys->flat) {
        fprintf(out, "no caches: every access takes no time\n");
        return;
    }
    const struct cpu_caches *caches = &memsys->cpu[0];
    const struct l1_cache *l1i = &caches->l1i;
    const struct l1_cache *l1d = &caches->l1d;
    const struct tags *l2 = &caches->l2;
    describe_cache(out, "L1-I", l1i->set_mask + 1, l1i->ways, l1i->line_shift);
    describe_cache(out, "L1-D", l1d->set_mask + 1, l1d->ways, l1d->line_shift);
    describe_cache(out, "L2", l2->set_mask + 1, l2->ways, l2->line_shift);
    fprintf(out, "stalls: L2 hit %llu cycles, memory %llu, ", (unsigned long long)memsys->l2_hit_time,
            (unsigned long long)memsys->miss_time);
    if (memsys->upgrades)
        fprintf(out, "upgrade %llu, ", (unsigned long long)memsys->upgrade_time);
    fprintf(out, "uncached %llu\n", (unsigned long long)memsys->uncached_latency);
}
