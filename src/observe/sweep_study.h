/*
 * The sweeps of a run or of a trace: their series, the caches of all points under the one stream, and the results.
 */
#ifndef SIMOS_SWEEP_STUDY_H
#define SIMOS_SWEEP_STUDY_H

#include "cache/observe/sweep.h"
#include "src/observe/sweep_series.h"

enum { SWEEP_SERIES_MAX = 8 };

struct sweep_study {
    unsigned count;
    struct sweep_series series[SWEEP_SERIES_MAX];
    struct sweep *sweep[SWEEP_SERIES_MAX];
    unsigned cpus;
    uint64_t insns[MODE_COUNT]; /* over which misses were counted; whoever feeds the study fills them in */
    uint64_t told;              /* references that had to be told */
    bool complete;              /* all of them have been */
    char counted[320];          /* over what: "from boot", "trace t.trace" */
};

/* Read the COUNT series TEXTS, whose points have BASE in common. False with ERR naming what is wrong. Either way
 * sweep_study_release() STUDY. */
bool sweep_study_init(struct sweep_study *study, const char *const *texts, unsigned count, const struct params *base,
                      struct err *err);
/* Build all points for references from SOURCE. False with ERR naming the parameter that does not fit. */
bool sweep_study_build(struct sweep_study *study, const struct params *base, const struct sweep_source *source,
                       struct err *err);
void sweep_study_release(struct sweep_study *study);

/* The next reference (sweep_refer). */
void sweep_study_refer(struct sweep_study *study, const struct reference *reference, uint8_t *quick);
/* Count from here on. */
void sweep_study_reset(struct sweep_study *study);

#endif
