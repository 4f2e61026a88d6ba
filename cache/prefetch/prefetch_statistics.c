/* Names and descriptions of the prefetchers' counters; their description as text. */
#include "cache/prefetch/prefetch_state.h"

#include <stddef.h>

static const struct row {
    const char *name;
    size_t offset;
    unsigned kinds; /* bit N: enum prefetch_kind N has this counter */
    const char *unit, *text;
} rows[] = {
#define ROW(NAME, KINDS, UNIT, TEXT)                                                                                   \
    {                                                                                                                  \
#NAME, offsetof(struct prefetch_counts, NAME), KINDS, UNIT, TEXT                                               \
    }
    ROW(requests, 1 << PREFETCH_INSN | 1 << PREFETCH_DATA, "requests",
        "instruction prefetch: number of runs; data prefetch: PREF instructions to cached memory"),
    ROW(issued, 7, "lines", "prefetches issued"),
    ROW(useful, 7, "lines", "prefetched lines used before eviction or invalidation"),
    ROW(late, 7, "lines", "useful prefetches used before they arrived"),
    ROW(late_cycles, 7, "cycles", "time that these uses waited for their lines"),
    ROW(dropped, 1 << PREFETCH_INSN, "lines",
        "lines that were not prefetched, since no cache up to prefetch.insn.reach had them"),
    ROW(useless, 7, "lines",
        "prefetched lines evicted or invalidated without use, counted at the next fill of the entry"),
#undef ROW
};

static const char *const kinds[PREFETCH_KINDS] = {"insn", "data", "stream"};

static bool exists(const struct prefetch *prefetch, enum prefetch_kind kind)
{
    return kind == PREFETCH_INSN   ? prefetch->trigger != TRIGGER_OFF
           : kind == PREFETCH_DATA ? prefetch->data
                                   : prefetch->buffers > 0;
}

static void register_kind(struct stats *stats, unsigned cpu, enum prefetch_kind kind,
                          const struct prefetch_counts *counts)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof rows[0]; row++) {
        char name[64];
        if (!(row->kinds >> kind & 1))
            continue;
        snprintf(name, sizeof name, "cpu%u.prefetch.%s.%s", cpu, kinds[kind], row->name);
        stats_counter(stats, name, row->unit, row->text, (const uint64_t *)((const char *)counts + row->offset));
    }
}

void prefetch_register_stats(struct memsys *memsys, struct stats *stats)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum prefetch_kind kind = 0; kind < PREFETCH_KINDS; kind++)
            if (exists(memsys->prefetch, kind))
                register_kind(stats, cpu, kind, &memsys->prefetch->cpu[cpu].counts[kind]);
}

void prefetch_describe(const struct memsys *memsys, FILE *out)
{
    const struct prefetch *prefetch = memsys->prefetch;
    if (prefetch->trigger != TRIGGER_OFF) {
        fprintf(out, "instruction prefetch: sequential, at %s, up to a guard",
                prefetch->trigger == TRIGGER_MISS ? "misses and first uses" : "every line fetched");
        if (prefetch->lines)
            fprintf(out, " or %u lines", prefetch->lines);
        fprintf(out, ", in %s pages\n", prefetch->guarded_only ? "guarded" : "all");
    }
    if (prefetch->buffers)
        fprintf(out, "instruction stream buffers: %u of %u lines behind level %u, hit %llu cycles\n", prefetch->buffers,
                prefetch->depth, prefetch->level, (unsigned long long)prefetch->buffer_hit_time);
    if (prefetch->data)
        fprintf(out, "data prefetch: PREF instructions\n");
}
