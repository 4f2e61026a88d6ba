#include "cache/observe/displacement.h"

#include "cache/state/hooks.h"
#include "cache/state/line_table.h"
#include <stdlib.h>

/* A line that is present: a miss means that it was lost in a way that no removal reports. */
enum { PRESENT = DISPLACED_BY_CACHE };

/* One cache of one CPU. */
struct recorded {
    uint32_t *cause; /* by line number; NULL: there is no such cache */
    uint32_t line_shift;
};

struct displacement {
    struct memsys *memsys;
    const struct displacement_ops *ops;
    void *opaque;
    unsigned cpus;
    struct recorded cache[][MEMSYS_CACHES];
};

static uint32_t *cause_of(const struct displacement *displacement, unsigned cpu, enum memsys_cache cache, paddr line)
{
    const struct recorded *recorded = &displacement->cache[cpu][cache];
    return &recorded->cause[line >> recorded->line_shift];
}

static void miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request, paddr line)
{
    struct displacement *displacement = opaque;
    (void)request;
    displacement->ops->missed(displacement->opaque, cpu, cache, *cause_of(displacement, cpu, cache, line));
}

static void fill(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line)
{
    *cause_of(opaque, cpu, cache, line) = PRESENT;
}

static void removal(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                    unsigned by_cpu)
{
    struct displacement *displacement = opaque;
    uint32_t *cause = cause_of(displacement, cpu, cache, line);
    switch (why) {
    case REMOVED_EVICTION:
    case REMOVED_BACK_INVALIDATION:
    case REMOVED_DIRECTORY:
    case REMOVED_INVALIDATION: *cause = displacement->ops->executing(displacement->opaque, by_cpu); break;
    case REMOVED_DMA: *cause = DISPLACED_BY_DEVICE; break;
    case REMOVED_CACHE_OP:
    case REMOVED_MOVE:
    case REMOVED_SUPPLIED:
    case REMOVED_ALIAS: *cause = DISPLACED_BY_CACHE; break;
    }
}

static const struct memsys_event_ops events = {.miss = miss, .fill = fill, .removal = removal};

struct displacement *displacement_begin(struct memsys *memsys, unsigned cpus, const struct displacement_ops *ops,
                                        void *opaque)
{
    struct displacement *displacement =
        checked_memory(calloc(1, sizeof *displacement + cpus * sizeof displacement->cache[0]));
    *displacement = (struct displacement){.memsys = memsys, .ops = ops, .opaque = opaque, .cpus = cpus};
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++)
            if (memsys_entries(memsys, cache, NULL) > 0) {
                struct recorded *recorded = &displacement->cache[cpu][cache];
                recorded->line_shift = (uint32_t)__builtin_ctz(memsys_line(memsys, cache));
                recorded->cause = line_table_create(recorded->line_shift, sizeof *recorded->cause);
            }
    memsys_attach(memsys, &events, displacement);
    return displacement;
}

void displacement_restart(struct displacement *displacement)
{
    for (unsigned cpu = 0; cpu < displacement->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
            const struct recorded *recorded = &displacement->cache[cpu][cache];
            line_table_clear(recorded->cause, recorded->line_shift, sizeof *recorded->cause);
        }
}

void displacement_end(struct displacement *displacement)
{
    if (!displacement)
        return;
    memsys_detach(displacement->memsys, displacement);
    for (unsigned cpu = 0; cpu < displacement->cpus; cpu++)
        for (enum memsys_cache cache = 0; cache < MEMSYS_CACHES; cache++) {
            const struct recorded *recorded = &displacement->cache[cpu][cache];
            line_table_free(recorded->cause, recorded->line_shift, sizeof *recorded->cause);
        }
    free(displacement);
}
