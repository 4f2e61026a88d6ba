#include "cache/memsys.h"

#include "cache/coherence.h"
#include "cache/geometry.h"
#include "src/log.h"
#include <stdlib.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { NS_PER_SECOND = 1000000000 };

/* Rounded up. The ranges of the parameters keep the product far below 2^64. */
static cycles cycles_of_ns(uint64_t ns, uint64_t clock_hz)
{
    return (ns * clock_hz + NS_PER_SECOND - 1) / NS_PER_SECOND;
}

struct memsys *memsys_create(const struct params *params, unsigned cpus, uint64_t clock_hz, struct err *err)
{
    if (cpus < 1 || cpus > BOARD_MAX_CPUS)
        log_bug("memory system for %u CPUs", cpus);
    struct geometry g;
    if (!geometry_from_params(&g, params, err))
        return NULL;
    struct memsys *memsys = calloc(1, sizeof *memsys);
    if (!memsys)
        log_bug("out of memory for the memory system");
    memsys->cpus = cpus;
    memsys->flat = g.flat;
    memsys->upgrades = cpus > 1 || g.upgrades_on_uniprocessor;
    memsys->l2_hit_time = cycles_of_ns(g.l2_hit_ns, clock_hz);
    memsys->miss_time = cycles_of_ns(g.miss_ns, clock_hz);
    memsys->upgrade_time = cycles_of_ns(g.upgrade_ns, clock_hz);
    memsys->uncached_latency = cycles_of_ns(g.uncached_ns, clock_hz);
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        struct cpu_caches *caches = &memsys->cpu[cpu];
        l1_init(&caches->l1i, g.l1i.size, g.l1i.line, g.l1i.ways);
        l1_init(&caches->l1d, g.l1d.size, g.l1d.line, g.l1d.ways);
        tags_init(&caches->l2, g.l2.size, g.l2.line, g.l2.ways);
    }
    directory_init(&memsys->directory, g.l2.line);
    return memsys;
}

void memsys_free(struct memsys *memsys)
{
    if (!memsys)
        return;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        l1_release(&memsys->cpu[cpu].l1i);
        l1_release(&memsys->cpu[cpu].l1d);
        tags_release(&memsys->cpu[cpu].l2);
    }
    directory_release(&memsys->directory);
    free(memsys);
}

bool memsys_is_flat(const struct memsys *memsys)
{
    return memsys->flat;
}

struct l1_cache *memsys_l1i(struct memsys *memsys, unsigned cpu)
{
    l1_settle_all(&memsys->cpu[cpu].l1i);
    return &memsys->cpu[cpu].l1i;
}

struct l1_cache *memsys_l1d(struct memsys *memsys, unsigned cpu)
{
    return &memsys->cpu[cpu].l1d;
}

uint32_t memsys_last_used(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, uint8_t *last)
{
    struct l1_cache *l1 = cache == MEMSYS_L1I ? &memsys->cpu[cpu].l1i : &memsys->cpu[cpu].l1d;
    if (memsys->flat || l1->ways != 2)
        return 0;
    l1_report_use(l1, last);
    return l1->set_mask + 1;
}

uint32_t memsys_line(const struct memsys *memsys, enum memsys_cache cache)
{
    const struct cpu_caches *caches = &memsys->cpu[0];
    switch (cache) {
    case MEMSYS_L1I: return 1u << caches->l1i.line_shift;
    case MEMSYS_L1D: return 1u << caches->l1d.line_shift;
    case MEMSYS_L2: return 1u << caches->l2.line_shift;
    }
    log_bug("cache %d", (int)cache);
}

static cycles charge(struct bucket *bucket, enum stall stall, cycles time)
{
    bucket->stall[stall] += time;
    return time;
}

/* The second level's ENTRY (shared) of CPU becomes dirty. Returns whether the other CPUs had to be asked. */
static bool become_owner(struct memsys *memsys, unsigned cpu, uint32_t entry, struct bucket *bucket)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    caches->l2.state[entry] = LINE_DIRTY;
    if (!memsys->upgrades)
        return false;
    coherence_upgrade(memsys, cpu, caches->l2.tag[entry]);
    caches->counts.l2_upgrades++;
    bucket->miss[MISS_UPGRADE]++;
    return true;
}

/* A store to the line of L1D's ENTRY, which is present but has no write permission yet. */
static __attribute__((noinline)) cycles store_to_clean_line(struct memsys *memsys, unsigned cpu, uint32_t entry,
                                                            struct bucket *bucket)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    struct l1_cache *l1d = &caches->l1d;
    paddr line = l1d->tag[entry];
    uint32_t owner = tags_find(&caches->l2, line & caches->l2.line_mask);
    if (owner == TAGS_NOWHERE)
        log_bug("cpu%u: first-level line 0x%08x is not in the second level", cpu, line);
    l1d->write_tag[entry] = line;
    if (caches->l2.state[owner] == LINE_DIRTY || !become_owner(memsys, cpu, owner, bucket))
        return 0;
    tags_touch(&caches->l2, owner); /* the upgrade is an access of the second level, the silent cases are not */
    return charge(bucket, STALL_UPGRADE, memsys->upgrade_time);
}

/* The access missed both levels: bring LINE into the second one, dirty if it is a store. */
static __attribute__((noinline)) cycles miss_second_level(struct memsys *memsys, unsigned cpu,
                                                          enum memsys_access access, paddr line, struct bucket *bucket)
{
    struct cache_counts *counts = &memsys->cpu[cpu].counts;
    bool fetch = access == MEMSYS_FETCH;
    if (access == MEMSYS_WRITE) {
        counts->l2_write_misses++;
        coherence_own(memsys, cpu, line);
        hierarchy_insert(memsys, cpu, line, LINE_DIRTY);
    } else {
        if (fetch)
            counts->l2_insn_misses++;
        else
            counts->l2_read_misses++;
        coherence_read(memsys, cpu, line);
        hierarchy_insert(memsys, cpu, line, LINE_SHARED);
    }
    bucket->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA]++;
    return charge(bucket, fetch ? STALL_L2I : STALL_L2D, memsys->miss_time);
}

/* The access missed the first level. Makes the second level hold LINE, dirty if it is a store. */
static ALWAYS_INLINE cycles second_level(struct memsys *memsys, unsigned cpu, enum memsys_access access, paddr line,
                                         struct bucket *bucket)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    uint32_t entry = tags_find(&caches->l2, line);
    if (SIM_UNLIKELY(entry == TAGS_NOWHERE))
        return miss_second_level(memsys, cpu, access, line, bucket);
    entry = tags_touch(&caches->l2, entry);
    if (access == MEMSYS_WRITE && caches->l2.state[entry] != LINE_DIRTY && become_owner(memsys, cpu, entry, bucket)) {
        /* One transaction does both, so its latency is the stall; but never less than finding the line. */
        cycles time = memsys->upgrade_time > memsys->l2_hit_time ? memsys->upgrade_time : memsys->l2_hit_time;
        return charge(bucket, STALL_UPGRADE, time);
    }
    return charge(bucket, access == MEMSYS_FETCH ? STALL_L1I : STALL_L1D, memsys->l2_hit_time);
}

/* The three kinds of access, each compiled for itself: L1 misses that hit L2 are frequent enough to matter. COUNT and
 * MISS are where this kind is counted. */
static ALWAYS_INLINE cycles access_first_level(struct memsys *memsys, unsigned cpu,
                                               const struct memsys_request *request, struct l1_cache *l1, bool write,
                                               uint64_t *count, enum miss kind)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    paddr line = request->address & l1->line_mask;
    l1_settle(l1, l1_first(l1, line));
    uint32_t entry = l1_find(l1, line);
    cycles stall = 0;
    if (entry != L1_NOWHERE) {
        entry = l1_touch(l1, entry);
        if (write && l1->write_tag[entry] != line)
            stall = store_to_clean_line(memsys, cpu, entry, request->bucket);
    } else {
        (*count)++;
        request->bucket->miss[kind]++;
        stall = second_level(memsys, cpu, request->access, request->address & caches->l2.line_mask, request->bucket);
        /* After the second level: its eviction may have made room in this very set. */
        caches->counts.l1d_write_backs += l1_fill(l1, line, write);
        entry = l1_first(l1, line);
    }
    l1_set_quick(l1, entry, request->quick, request->grant);
    return stall;
}

cycles memsys_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct cpu_caches *caches = &memsys->cpu[cpu];
    struct cache_counts *counts = &caches->counts;
    if (memsys->flat)
        return 0;
    switch (request->access) {
    case MEMSYS_FETCH:
        return access_first_level(memsys, cpu, request, &caches->l1i, false, &counts->l1i_misses, MISS_L1I);
    case MEMSYS_READ:
        return access_first_level(memsys, cpu, request, &caches->l1d, false, &counts->l1d_read_misses, MISS_L1D_READ);
    case MEMSYS_WRITE:
        return access_first_level(memsys, cpu, request, &caches->l1d, true, &counts->l1d_write_misses, MISS_L1D_WRITE);
    }
    log_bug("access of kind %d", (int)request->access);
}

cycles memsys_uncached(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    /* All uncached accesses cost the same; a machine with slower devices will want the rest of the request. */
    if (memsys->flat)
        return 0;
    memsys->cpu[cpu].counts.uncached++;
    return charge(request->bucket, STALL_UNCACHED, memsys->uncached_latency);
}

/* The lines of the second level that a DMA of SIZE bytes at ADDRESS touches: from FIRST on, by STEP, below END, which
 * is the DMA's own end or that of the address space. */
struct line_range {
    uint64_t first, end, step;
};

static struct line_range lines_of(const struct memsys *memsys, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    struct line_range range = {.first = address & memsys->cpu[0].l2.line_mask,
                               .end = end < top ? end : top,
                               .step = 1u << memsys->cpu[0].l2.line_shift};
    if (size == 0)
        range.end = range.first;
    return range;
}

void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    (void)now;
    if (memsys->flat)
        return;
    memsys->dma_writes++;
    const struct line_range lines = lines_of(memsys, address, size);
    for (uint64_t line = lines.first; line < lines.end; line += lines.step)
        coherence_device_write(memsys, (paddr)line, line >= address && line + lines.step <= lines.end);
}

void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    (void)now;
    if (memsys->flat)
        return;
    memsys->dma_reads++;
    const struct line_range lines = lines_of(memsys, address, size);
    for (uint64_t line = lines.first; line < lines.end; line += lines.step)
        coherence_device_read(memsys, (paddr)line);
}

void memsys_flush(struct memsys *memsys)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        l1_clear(&memsys->cpu[cpu].l1i);
        l1_clear(&memsys->cpu[cpu].l1d);
        tags_clear(&memsys->cpu[cpu].l2);
    }
    directory_clear(&memsys->directory);
}
