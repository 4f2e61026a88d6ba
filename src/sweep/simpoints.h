/*
 * SimPoint's choice of intervals (docs/how-to/simpoint.md): FILE.simpoints has a line "INTERVAL CLUSTER" for the
 * interval that represents a cluster of alike ones, FILE.weights "WEIGHT CLUSTER", the cluster's part of the run, and
 * FILE.labels, if SimPoint has written it (-saveLabels), "CLUSTER DISTANCE" for each interval: the cluster that it
 * belongs to.
 */
#ifndef SIMOS_SWEEP_SIMPOINTS_H
#define SIMOS_SWEEP_SIMPOINTS_H

#include "src/base/log.h"
#include "src/results/sampling.h"
#include <stdint.h>

enum { SIMPOINTS_CLUSTERS_MAX = 1000, SIMPOINTS_INTERVALS_MAX = 1 << 20 };

/* An interval to simulate. */
struct simpoint {
    uint32_t interval;
    unsigned stratum; /* its cluster, by position in `strata` */
};

struct simpoints {
    struct sampling_stratum *strata; /* the clusters, in the order of FILE.simpoints */
    unsigned stratum_count;
    struct simpoint *chosen; /* by ascending interval */
    unsigned count;
    bool labelled; /* the sizes of the strata are known */
};

/* The intervals that the texts of the three files (LABELS: NULL: none) choose, of clusters that have as many the
 * representative and others of the cluster up to EACH in all, evenly spaced. NAME is FILE.simpoints, for messages.
 * False with ERR; in both cases the caller calls simpoints_release(). */
bool simpoints_parse(struct simpoints *simpoints, const char *name, const char *chosen, const char *weights,
                     const char *labels, unsigned each, struct err *err);
/* The same from the files; NAME ends in ".simpoints", or that is left out. */
bool simpoints_read(struct simpoints *simpoints, const char *name, unsigned each, struct err *err);
void simpoints_release(struct simpoints *simpoints);

/* The path of one of the files: ENDING is "simpoints", "weights" or "labels". */
char *simpoints_path(const char *name, const char *ending);

#endif
