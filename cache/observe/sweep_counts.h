/* The counts of a sweep for one cache: the misses of figures 4.6, 4.7 and 5.3 of SOSP'95. */
#ifndef SIMOS_CACHE_OBSERVE_SWEEP_COUNTS_H
#define SIMOS_CACHE_OBSERVE_SWEEP_COUNTS_H

#include "src/measure/attribution.h"

/* Cause of a miss. For evicted lines the causes are those of section 4.4.1: a kernel miss of a line that the kernel
 * evicted is KERN-self, else KERN-other; a miss of a process whose line the same process evicted is USER-self, else
 * USER-other. The idle loop counts as the kernel. */
enum sweep_cause {
    SWEEP_COLD, /* first reference to the line */
    SWEEP_SELF,
    SWEEP_OTHER,
    SWEEP_COHERENCE, /* invalidated by a write of another CPU or a device */
    SWEEP_FLUSHED,   /* removed by a CACHE instruction */
    SWEEP_CAUSES
};

enum sweep_kind { SWEEP_INSN, SWEEP_DATA, SWEEP_KINDS };

struct sweep_counts {
    uint64_t misses[MODE_COUNT][SWEEP_KINDS][SWEEP_CAUSES]; /* by mode of the access that missed */
    uint64_t upgrades[MODE_COUNT];                          /* stores to shared lines */
    uint64_t write_backs;                                   /* modified lines evicted or cleaned */
};

#endif
