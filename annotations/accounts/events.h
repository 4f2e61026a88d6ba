/*
 * Distributes the events of the cores to several observers: a core has a single observer (cpu/core.h), which is this
 * module. Observers are called in the order in which they were added.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_EVENTS_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_EVENTS_H

#include "annotations/symbols/machine_view.h"

struct events;

/* Create a distributor without observers. The cores are not touched until one is added. MACHINE must outlive it. */
struct events *events_create(const struct machine_view *machine);
/* Removes the observer from the cores. NULL is ignored. */
void events_free(struct events *events);

/* Call OPS with OPAQUE for the events of every core from now on. A NULL member of OPS costs only a test for NULL. */
void events_add_observer(struct events *events, const struct core_observer *ops, void *opaque);
/* Remove the observer that was added with OPS and OPAQUE. */
void events_remove_observer(struct events *events, const struct core_observer *ops, const void *opaque);

#endif
