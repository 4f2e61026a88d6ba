/*
 * Attribution: every cycle, stall, miss and instruction is charged to the current bucket of its CPU.
 *
 * The caller that changes the bucket pointer first calls the model's sync, so that earlier events are charged to the
 * old bucket. Invariant, tested: over all buckets of a CPU, cycles = execute + sum(stall) + sum(interlock) + wait, and
 * their sum is the CPU's time. The sum(pipeline) is a part of execute.
 */
#ifndef SIMOS_MEASURE_ATTRIBUTION_H
#define SIMOS_MEASURE_ATTRIBUTION_H

#include "src/base/types.h"

/* Memory stall of a cycle. */
enum stall {
#define STALL(id, ...) STALL_##id,
#include "src/measure/measures.def"
    STALL_COUNT,
    /* The causes from this one on are those of few machines: what lists all causes lists them only where there were
     * such cycles. Checkpoints have them in sections of their own. */
    STALL_RARE = STALL_PAGE_WALK
};

/* Pipeline stall of a cycle (SOSP'95 section 3.3): not a memory stall, and a superscalar CPU graduated fewer
 * instructions than it can. Classified by what the oldest instruction waits for. CPUs that execute one instruction per
 * cycle have none. */
enum pipeline_stall {
#define PIPELINE(id, ...) PIPELINE_##id,
#include "src/measure/measures.def"
    PIPELINE_COUNT
};

/* Interlock of a cycle: an in-order CPU with instruction costs (cpu/core/interlock.h) waits before it issues an
 * instruction. By what it waits for. */
enum interlock {
#define INTERLOCK(id, ...) INTERLOCK_##id,
#include "src/measure/measures.def"
    INTERLOCK_COUNT,
    INTERLOCK_RARE = INTERLOCK_ENTRY /* likewise */
};

/* Does what lists all causes list this one, with TIME cycles? */
static inline bool stall_is_listed(enum stall stall, cycles time)
{
    return stall < STALL_RARE || time > 0;
}
static inline bool interlock_is_listed(enum interlock interlock, cycles time)
{
    return interlock < INTERLOCK_RARE || time > 0;
}

enum miss {
#define MISS(id, ...) MISS_##id,
#include "src/measure/measures.def"
    MISS_COUNT
};

/* Why a line is missing (docs/reference/miss-classes.md). */
enum miss_class {
#define CLASS(id, ...) CLASS_##id,
#include "src/measure/measures.def"
    CLASS_COUNT
};

/* Misses of the levels behind the first, by what accessed. Of level 2 these are parts of the above. */
enum outer_miss {
    OUTER_L2_INSN,
    OUTER_L2_READ,
    OUTER_L2_WRITE,
    OUTER_L3_INSN,
    OUTER_L3_READ,
    OUTER_L3_WRITE,
    OUTER_COUNT
};

/* Accesses that waited for a prefetched line in flight, by what accessed, of each level that did not supply the line,
 * as far as they are no misses of it: with them, the misses of a level are those of a machine whose late prefetches
 * hide nothing. */
enum { LATE_LEVELS = 3, LATE_ACCESSES = 3, LATE_COUNT = LATE_LEVELS * LATE_ACCESSES };

struct bucket {
    uint64_t cycles;
    uint64_t insns;
    uint64_t wait; /* cycles in the `wait` instruction */
    uint64_t stall[STALL_COUNT];
    uint64_t miss[MISS_COUNT];
    uint64_t outer[OUTER_COUNT];         /* misses */
    uint64_t streamed;                   /* fetches that missed, and that an instruction stream buffer supplied */
    uint64_t late[LATE_COUNT];           /* accesses; (level - 1) * LATE_ACCESSES + enum memsys_access */
    uint64_t late_streamed;              /* the part of `streamed` that waited for its line */
    uint64_t pipeline[PIPELINE_COUNT];   /* cycles; not included in the stalls above */
    uint64_t interlock[INTERLOCK_COUNT]; /* likewise */
};

/* The sum of NUMBER counts. */
static inline uint64_t counts_sum(const uint64_t *counts, unsigned number)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < number; i++)
        sum += counts[i];
    return sum;
}

/* Cycles of memory stall, of pipeline stall and of interlock, over all causes. */
static inline cycles bucket_stall(const struct bucket *bucket)
{
    return counts_sum(bucket->stall, STALL_COUNT);
}
static inline cycles bucket_pipeline(const struct bucket *bucket)
{
    return counts_sum(bucket->pipeline, PIPELINE_COUNT);
}
static inline cycles bucket_interlock(const struct bucket *bucket)
{
    return counts_sum(bucket->interlock, INTERLOCK_COUNT);
}
/* Cycles in which an instruction executed, or a superscalar CPU had a pipeline stall. */
static inline cycles bucket_execute(const struct bucket *bucket)
{
    return bucket->cycles - bucket->wait - bucket_stall(bucket) - bucket_interlock(bucket);
}

/* Execution modes of a CPU, by which table 2.1 and figure 4.1 divide time. */
enum mode { MODE_USER, MODE_KERNEL, MODE_IDLE, MODE_COUNT };

/* The name of MODE in statistics, as in "cpu0.mode.user.insns". */
static inline const char *mode_name(enum mode mode)
{
    static const char *const names[MODE_COUNT] = {[MODE_USER] = "user", [MODE_KERNEL] = "kernel", [MODE_IDLE] = "idle"};
    return names[mode];
}

#endif
