/*
 * What a sweep counts of one cache: the misses of figures 4.6, 4.7 and 5.3 of SOSP'95.
 */
#ifndef SIMOS_CACHE_SWEEP_COUNTS_H
#define SIMOS_CACHE_SWEEP_COUNTS_H

#include "src/base/attribution.h"

/* Why a line that is missed is not there. Who evicted it (section 4.4.1): a miss of the kernel whose line the kernel
 * had evicted is KERN-self, else KERN-other; one of a process whose line the same process had evicted USER-self, else
 * USER-other. The idle loop counts as the kernel. */
enum sweep_cause {
    SWEEP_COLD, /* first reference to the line */
    SWEEP_SELF,
    SWEEP_OTHER,
    SWEEP_COHERENCE, /* another CPU or a device wrote to it */
    SWEEP_FLUSHED,   /* a CACHE instruction took it out */
    SWEEP_CAUSES
};

enum sweep_kind { SWEEP_INSN, SWEEP_DATA, SWEEP_KINDS };

struct sweep_counts {
    uint64_t misses[MODE_COUNT][SWEEP_KINDS][SWEEP_CAUSES]; /* by the mode that misses */
    uint64_t upgrades[MODE_COUNT];                          /* stores to shared lines */
    uint64_t write_backs;                                   /* modified lines that left, or were cleaned */
};

#endif
