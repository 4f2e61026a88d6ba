/*
 * Timeline of execution as a trace for Perfetto (ui.perfetto.dev) and chrome://tracing, in Chrome's JSON "Trace Event
 * Format". One track for each processor: the processes, and nested in each the services it executes, including faults
 * and interrupts; one track for each disk: its requests.
 */
#ifndef SIMOS_ANNOTATIONS_TIMELINE_TIMELINE_H
#define SIMOS_ANNOTATIONS_TIMELINE_TIMELINE_H

#include "annotations/services/service_watch.h"
#include <stdio.h>

struct timeline;

/* Create a stopped timeline of the processors of MACHINE, as accounted by SERVICES, with at most MOST slices. Both
 * must outlive it. */
struct timeline *timeline_create(const struct machine_view *machine, struct services *services, size_t most);
void timeline_free(struct timeline *timeline); /* NULL is ignored */

/* Start and stop recording. Between turns of the processors, or in a hook of one. */
void timeline_start(struct timeline *timeline);
void timeline_stop(struct timeline *timeline);

/* Record that the guest has reached the mark NAME at time NOW. */
void timeline_add_mark(struct timeline *timeline, const char *name, cycles now);

/* True if recording ended because the maximum number of slices was reached. */
bool timeline_is_full(const struct timeline *timeline);
/* Number of slices. */
size_t timeline_count(const struct timeline *timeline);

/* Write the trace of the stopped struct timeline TIMELINE. */
void timeline_write(const void *timeline, FILE *out);

#endif
