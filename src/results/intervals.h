/*
 * Execution over time of a run with --over-time, as in SOSP'95 figures 4.1 and 5.1: user and kernel, executing and
 * stalled; spin locks if services were distinguished; idle.
 */
#ifndef SIMOS_RESULTS_INTERVALS_H
#define SIMOS_RESULTS_INTERVALS_H

#include "src/results/results.h"

/* The parts of an interval's time, in the order in which they are drawn. */
enum interval_part {
    INTERVAL_USER_RUNS,
    INTERVAL_USER_STALLS,
    INTERVAL_KERNEL_RUNS,
    INTERVAL_KERNEL_STALLS,
    INTERVAL_SYNC,
    INTERVAL_IDLE,
    INTERVAL_PARTS
};

/* An interval; cycles summed over all CPUs. */
struct interval {
    uint64_t end;
    uint64_t insns; /* of all CPUs, since power-on, at the end */
    uint64_t part[INTERVAL_PARTS];
};

struct intervals {
    uint64_t begin;
    size_t count;
    struct interval *row; /* owned by the caller */
    bool has_insns;       /* it is known how many instructions were executed before */
    bool has_sync;        /* spin locks were accounted */
};

/* The intervals of RESULTS; none if the file has no series. */
struct intervals intervals_read(const struct results *results);

#endif
