/*
 * Counts of mxs, under "cpuN.mxs.". Graduation slots: width * cycles = graduated + the sum of lost slots.
 */
#ifndef SIMOS_CPU_MXS_COUNTS_H
#define SIMOS_CPU_MXS_COUNTS_H

#include "cache/nonblocking.h"
#include "src/measure/attribution.h"

/* Why a cycle graduated fewer instructions than the full width (SOSP'95 section 3.3): first the memory stalls, numbered
 * as in enum stall, then the pipeline stalls, numbered as in enum pipeline_stall, and last the memory stalls of few
 * machines. Checkpoints have these numbers. */
enum mxs_cause {
    LOST_MEMORY = STALL_RARE, /* smaller values: enum stall */
    LOST_DEPENDENCE = LOST_MEMORY + PIPELINE_DEPENDENCE,
    LOST_MISPREDICTED = LOST_MEMORY + PIPELINE_MISPREDICTED,
    LOST_EXCEPTION = LOST_MEMORY + PIPELINE_EXCEPTION,
    LOST_SERIALISED = LOST_MEMORY + PIPELINE_SERIALISED,
    LOST_REPLAYED = LOST_MEMORY + PIPELINE_REPLAYED,
    LOST_UNITS = LOST_MEMORY + PIPELINE_UNITS,
    LOST_FETCH = LOST_MEMORY + PIPELINE_FETCH,
    LOST_RARE = LOST_MEMORY + PIPELINE_COUNT, /* STALL_RARE, and from there on as in enum stall */
    LOST_COUNT = LOST_RARE + STALL_COUNT - STALL_RARE
};

/* Is the cause WHY a memory stall, and which? */
static inline bool lost_is_stall(unsigned why)
{
    return why < LOST_MEMORY || why >= LOST_RARE;
}
static inline unsigned lost_stall(unsigned why)
{
    return why < LOST_MEMORY ? why : why - LOST_RARE + STALL_RARE;
}
/* The cause that an enum stall is. */
static inline unsigned lost_of_stall(unsigned stall)
{
    return stall < STALL_RARE ? stall : stall - STALL_RARE + LOST_RARE;
}

struct mxs_counts {
    uint64_t cycles, graduated;        /* under this model */
    uint64_t full_cycles;              /* cycles that graduated the full width */
    uint64_t stall_cycles[LOST_COUNT]; /* cycles that graduated less, by reason */
    uint64_t lost_slots[LOST_COUNT];
    uint64_t fetched, squashed, issued, serialised;
    uint64_t branches, branches_mispredicted; /* conditional branches, counted on execution */
    uint64_t jumps, jumps_mispredicted;       /* indirect jumps */
    uint64_t forwarded, speculated_past, replayed, load_value_changed, lsq_waits;
    uint64_t misses_merged, mshrs_full;
    struct nonblocking_outstanding outstanding[MODE_COUNT]; /* by the mode in which the access was made */
};

#endif
