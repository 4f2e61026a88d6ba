/*
 * What ran when, as a trace for Perfetto (ui.perfetto.dev) and chrome://tracing: the "Trace Event Format" of Chrome,
 * JSON. A track a processor: processes, and on top of each the services it is in the middle of, faults and interrupts
 * among them; a track a disk: requests. Slices of a track nest.
 */
#ifndef SIMOS_ANNOTATIONS_TIMELINE_H
#define SIMOS_ANNOTATIONS_TIMELINE_H

#include "annotations/services/service_watch.h"
#include <stdio.h>

struct timeline;

/* Of the processors of SUBJECT, as SERVICES know them; at most MOST slices, then it is full. Nothing is noted yet. All
 * must outlive it. */
struct timeline *timeline_create(const struct subject *subject, struct services *services, size_t most);
void timeline_free(struct timeline *timeline); /* NULL is fine */

/* From now on, up to now. Between turns of the processors or in a hook of one. */
void timeline_start(struct timeline *timeline);
void timeline_stop(struct timeline *timeline);

/* The guest said that it is at the position NAME. */
void timeline_mark(struct timeline *timeline, const char *name, cycles now);

/* Was there more than it had room for? */
bool timeline_is_full(const struct timeline *timeline);
/* How many there are. */
size_t timeline_count(const struct timeline *timeline);

/* The file; TIMELINE is a struct timeline, stopped. */
void timeline_write(const void *timeline, FILE *out);

#endif
