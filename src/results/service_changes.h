/*
 * What differs between the kernel services of two runs.
 */
#ifndef SIMOS_RESULTS_SERVICE_CHANGES_H
#define SIMOS_RESULTS_SERVICE_CHANGES_H

#include "src/results/results.h"

enum { SERVICE_NAME = 64, SERVICE_COUNT_NAME = 48 };

/* A count of a service that differs. */
struct service_change {
    char service[SERVICE_NAME], count_name[SERVICE_COUNT_NAME]; /* "execve", "l2 data conflict misses"; printable */
    bool is_miss;                                               /* false: calls, cycles or instructions */
    int64_t before, after;
};

struct service_changes {
    size_t count, room;
    struct service_change *change; /* owned by the caller; in order of decreasing size */
};

/* The changes of calls, cycles, instructions and misses: by class if both runs have classes, otherwise by kind. None if
 * a run has no services. */
void service_changes_find(struct service_changes *changes, const struct results *before, const struct results *after);

/* How much the count has changed. */
uint64_t service_change_size(const struct service_change *change);

#endif
