/*
 * Which functions and data evict each other: the table `evictions` of a statistics file
 * (docs/reference/miss-classes.md, "Who evicted it").
 */
#ifndef SIMOS_RESULTS_EVICTIONS_H
#define SIMOS_RESULTS_EVICTIONS_H

#include "src/results/results.h"

/* MISSES of MISSED in CACHE of CPU, after EVICTED_BY had taken its place. */
struct eviction {
    unsigned cpu;
    const char *cache, *missed, *evicted_by; /* owned by the results */
    bool in_one_set;
    uint32_t set; /* if in_one_set: the number of that set */
    uint64_t sets, misses;
};

struct evictions {
    size_t count;
    struct eviction *row; /* owned; those with the most misses first */
    uint64_t others;      /* misses of the pairs that the file does not list */
    uint64_t unknown;     /* ... and those whose evictor is not known */
};

/* Read the table. False if the run has none. A row that is malformed is left out. In both cases the caller calls
 * evictions_release(). */
bool evictions_read(const struct results *results, struct evictions *evictions);
void evictions_release(struct evictions *evictions);

#endif
