/*
 * Execution over time, as in SOSP'95 figures 4.1 and 5.1: the cycles of all CPUs in each interval of simulated time,
 * by mode (user, kernel, idle), executing or stalled, and by groups of services if services are distinguished.
 *
 * It does not change the simulation. The machine is sampled between quanta of its CPUs, and a quantum is not
 * shortened for a sample; so on several CPUs an interval ends with the quantum in which it expires (machine.quantum).
 */
#ifndef SIMOS_OBSERVE_OVER_TIME_H
#define SIMOS_OBSERVE_OVER_TIME_H

#include "annotations/services/service_groups.h"
#include "src/base/json_writer.h"
#include "src/machine/machine.h"
#include <stdio.h>

enum { OVER_TIME_ROWS = 4096 /* beyond this, pairs of rows are combined and the interval doubles */ };

struct over_time;

/* Start with intervals of INTERVAL cycles (above 0). */
struct over_time *over_time_create(struct machine *machine, cycles interval);
void over_time_free(struct over_time *over_time); /* NULL is allowed */

/* The simulated time at which the current interval ends. */
cycles over_time_next(const struct over_time *over_time);
/* Call between runs; ends the interval if it has expired. SERVICES: NULL if services are not distinguished. */
void over_time_sample(struct over_time *over_time, struct services *services);

/* The measured part of the run begins: discard all rows. */
void over_time_reset(struct over_time *over_time, struct services *services);
/* Call at the end of the run: ends the last interval. */
void over_time_end(struct over_time *over_time, struct services *services);

/* Write the rows as the value of a statistics member (stats_json()). */
void over_time_write_json(const struct over_time *over_time, struct json_writer *json);

#endif
