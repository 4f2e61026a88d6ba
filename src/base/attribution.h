/*
 * Attribution: every cycle, stall, miss and instruction is charged to the bucket its CPU points at.
 *
 * Whoever switches the pointer calls the model's sync first, so that what happened before goes to the old bucket.
 * Invariant, tested: over all buckets of a CPU, cycles = execute + sum(stall) + wait, and their sum is the CPU's time.
 * The sum(pipeline) is a part of execute.
 */
#ifndef SIMOS_ATTRIBUTION_H
#define SIMOS_ATTRIBUTION_H

#include "src/base/types.h"

/* Where a stalled cycle went. L1: missed the first level and hit the second; L2: went to memory (table 3.1). */
enum stall {
    STALL_L1I,
    STALL_L2I,
    STALL_L1D,
    STALL_L2D,
    STALL_UPGRADE,      /* store to a shared line */
    STALL_WRITE_BUFFER, /* a write, or a line that had to leave, found the write buffer full */
    STALL_UNCACHED,     /* uncached and device accesses */
    STALL_COUNT
};

/* Where a cycle went that was no memory stall, and in which a CPU that can graduate several instructions graduated
 * fewer: the pipeline stall of SOSP'95 section 3.3, by what the oldest instruction waited for. CPUs that execute one
 * instruction a cycle have none. */
enum pipeline_stall {
    PIPELINE_DEPENDENCE,   /* it executes, or waits for a value */
    PIPELINE_MISPREDICTED, /* the window fills anew after a branch or jump went elsewhere than fetch */
    PIPELINE_EXCEPTION,    /* ... after an exception or interrupt */
    PIPELINE_SERIALISED,   /* an instruction executes alone, or the window fills anew after it */
    PIPELINE_REPLAYED,     /* ... after a load had to be done again */
    PIPELINE_UNITS,        /* it is ready but found no unit, port or issue slot */
    PIPELINE_FETCH,        /* fewer instructions were fetched */
    PIPELINE_COUNT
};

enum miss { MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE, MISS_L2_INSN, MISS_L2_DATA, MISS_UPGRADE, MISS_COUNT };

struct bucket {
    uint64_t cycles;
    uint64_t insns;
    uint64_t wait; /* cycles spent in `wait` */
    uint64_t stall[STALL_COUNT];
    uint64_t miss[MISS_COUNT];
    uint64_t pipeline[PIPELINE_COUNT]; /* cycles; they are not among the stalls above */
};

/* Execution modes of a CPU as table 2.1 and figure 4.1 divide time. */
enum mode { MODE_USER, MODE_KERNEL, MODE_IDLE, MODE_COUNT };

#endif
