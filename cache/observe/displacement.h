/*
 * Who displaced the line that misses: for each line of each cache a number that the caller gives for what the processor
 * was executing when the line was lost. What misses cost those who miss is in the counters; this says who caused them.
 *
 * Without a displacement nothing is called and nothing is slower. It changes no measurement.
 */
#ifndef SIMOS_CACHE_OBSERVE_DISPLACEMENT_H
#define SIMOS_CACHE_OBSERVE_DISPLACEMENT_H

#include "cache/memsys.h"

/* Causes that are no execution; those of executions are DISPLACED_BY_EXECUTION and more. */
enum displacement_cause {
    DISPLACED_NEVER,     /* the line was never in this cache, as far as has been seen since the beginning */
    DISPLACED_BY_DEVICE, /* invalidated by a device's transfer */
    DISPLACED_BY_CACHE,  /* by a CACHE instruction, by emptying all caches, or it is there under another address */
    DISPLACED_BY_EXECUTION
};

struct displacement_ops {
    /* What CPU executes now: a number, at least DISPLACED_BY_EXECUTION. */
    uint32_t (*executing)(void *opaque, unsigned cpu);
    /* CPU missed CACHE; CAUSE: an enum displacement_cause, or what executing() returned for the processor whose
     * replacement or store took the line away. Called for every cache that misses, before any of them changes. */
    void (*missed)(void *opaque, unsigned cpu, enum memsys_cache cache, uint32_t cause);
};

struct displacement;

/* Begins to record in MEMSYS, which has caches and CPUS processors and must outlive it, as OPS, which must, too. Out of
 * memory aborts. */
struct displacement *displacement_begin(struct memsys *memsys, unsigned cpus, const struct displacement_ops *ops,
                                        void *opaque);
/* Forgets what was recorded, as if it began now. */
void displacement_restart(struct displacement *displacement);
/* Ends DISPLACEMENT; NULL is fine. */
void displacement_end(struct displacement *displacement);

#endif
