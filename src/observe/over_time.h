/*
 * Execution over time, as in figures 4.1 and 5.1 of SOSP'95: for each interval of simulated time, where the cycles of
 * all CPUs went: user, kernel and idle, executing or stalled, and by groups of services if they are told apart.
 *
 * It only looks: the machine is asked between turns of its CPUs, and runs as it does without it. A turn is not cut
 * short for it, so on several CPUs the end of an interval is that of the turn in which it ends (machine.quantum).
 */
#ifndef SIMOS_OVER_TIME_H
#define SIMOS_OVER_TIME_H

#include "annotations/services/service_groups.h"
#include "src/machine/machine.h"
#include <stdio.h>

enum { OVER_TIME_ROWS = 4096 /* more than that, and every two become one: the interval doubles */ };

struct over_time;

/* Of MACHINE, from now on, INTERVAL cycles (above 0) each. */
struct over_time *over_time_create(struct machine *machine, cycles interval);
void over_time_free(struct over_time *over_time); /* NULL is fine */

/* The simulated time at which the present interval ends. */
cycles over_time_next(const struct over_time *over_time);
/* Between runs, at that time or later: the interval has ended. SERVICES: NULL if they are not told apart so far. */
void over_time_due(struct over_time *over_time, struct services *services);

/* The figures begin here: what has been noted so far is forgotten. */
void over_time_begin_again(struct over_time *over_time, struct services *services);
/* The run has ended, and with it the last interval. */
void over_time_end(struct over_time *over_time, struct services *services);

/* The value of a member of the statistics (stats_json). */
void over_time_write_json(const struct over_time *over_time, FILE *out);

#endif
