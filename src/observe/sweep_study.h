/*
 * The cache sweeps of a run or trace: their series, the caches of all points driven by the one reference stream, and
 * the results.
 */
#ifndef SIMOS_OBSERVE_SWEEP_STUDY_H
#define SIMOS_OBSERVE_SWEEP_STUDY_H

#include "cache/observe/sweep.h"
#include "src/observe/sweep_series.h"

enum { SWEEP_SERIES_MAX = 8 };

struct sweep_study {
    unsigned count;
    struct sweep_series series[SWEEP_SERIES_MAX];
    struct sweep *sweep[SWEEP_SERIES_MAX];
    unsigned cpus;
    uint64_t insns[MODE_COUNT]; /* instructions of the counted part; the owner of the reference stream sets them */
    uint64_t references;        /* references processed, i.e. not filtered by the fast path */
    bool complete;              /* the stream has been processed to its end */
    char counted[320];          /* the counted part: "counted from boot", "trace t.trace" */
};

/* The parameters sweep.*. */
extern const struct param_def sweep_param_defs[];
extern const size_t sweep_param_count;

/* Parse the COUNT series TEXTS, whose points have the parameters BASE in common. Returns false with ERR. In both cases
 * the caller calls sweep_study_release(). */
bool sweep_study_init(struct sweep_study *study, const char *const *texts, unsigned count, const struct params *base,
                      struct err *err);
/* Build the caches of all points for references from SOURCE. Returns false with ERR naming the unsuitable parameter. */
bool sweep_study_build(struct sweep_study *study, const struct params *base, const struct sweep_source *source,
                       struct err *err);
void sweep_study_release(struct sweep_study *study);

/* Process the next reference (sweep_refer()). */
void sweep_study_refer(struct sweep_study *study, const struct reference *reference, uint8_t *permission);
/* Set all counts to 0; the caches keep their contents. */
void sweep_study_reset(struct sweep_study *study);

#endif
