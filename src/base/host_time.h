/*
 * The host's monotonic clock with an arbitrary origin: for progress, pacing and the last line of the results table.
 * Never part of a result.
 */
#ifndef SIMOS_BASE_HOST_TIME_H
#define SIMOS_BASE_HOST_TIME_H

#include "src/base/types.h"
#include <time.h>

static inline nsec host_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (nsec)now.tv_sec * 1000000000u + (nsec)now.tv_nsec;
}

static inline double host_seconds(void)
{
    return (double)host_time() * 1e-9;
}

#endif
