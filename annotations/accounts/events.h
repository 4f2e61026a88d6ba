/*
 * The events of the processors, for several listeners at once: a core has one observer (cpu/core.h), and this is it.
 * Listeners hear of an event in the order in which they were added.
 */
#ifndef SIMOS_ANNOTATIONS_EVENTS_H
#define SIMOS_ANNOTATIONS_EVENTS_H

#include "annotations/symbols/subject.h"

struct events;

/* Nobody listens yet; the cores are not touched until somebody does. SUBJECT must outlive it. */
struct events *events_create(const struct subject *subject);
/* The cores have no observer any more. NULL is fine. */
void events_free(struct events *events);

/* OPS hear, with OPAQUE, of every core from now on. Members of OPS that are NULL cost nothing but the look. */
void events_listen(struct events *events, const struct core_observer *ops, void *opaque);
/* No longer. */
void events_leave(struct events *events, const struct core_observer *ops, const void *opaque);

#endif
