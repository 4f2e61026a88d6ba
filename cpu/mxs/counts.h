/*
 * What mxs counts, under "cpuN.mxs.". Graduation slots: width * cycles = graduated + the sum of lost slots.
 */
#ifndef SIMOS_CPU_MXS_COUNTS_H
#define SIMOS_CPU_MXS_COUNTS_H

#include "src/attribution.h"

/* Why a cycle graduated fewer than the full width (SOSP'95 section 3.3): first the memory stalls, as enum stall. */
enum mxs_cause {
    LOST_MEMORY = STALL_COUNT,     /* below: enum stall */
    LOST_DEPENDENCE = LOST_MEMORY, /* the oldest executes, or waits for a value */
    LOST_MISPREDICTED,             /* the window fills anew after a branch or jump went elsewhere than fetch */
    LOST_EXCEPTION,                /* ... after an exception or interrupt */
    LOST_SERIALISED,               /* an instruction executes alone, or the window fills anew after it */
    LOST_REPLAYED,                 /* ... after a load had to be done again */
    LOST_UNITS,                    /* the oldest is ready but found no unit, port or issue slot */
    LOST_FETCH,                    /* fewer instructions were fetched */
    LOST_COUNT
};

struct mxs_counts {
    uint64_t cycles, graduated;        /* of this model */
    uint64_t full_cycles;              /* that graduated the full width */
    uint64_t stall_cycles[LOST_COUNT]; /* that did not */
    uint64_t lost_slots[LOST_COUNT];
    uint64_t fetched, squashed, issued, alone;
    uint64_t branches, branches_mispredicted; /* conditional, as executed */
    uint64_t jumps, jumps_mispredicted;       /* indirect */
    uint64_t forwarded, passed, replayed, changed, parked;
    uint64_t misses_merged, miss_registers_full;
};

#endif
