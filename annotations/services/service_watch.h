/*
 * Observers of the service accounting, called at every change of what a processor is charged to; timelines and stack
 * profiles are made from them. Without observers a change costs one test.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_WATCH_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_WATCH_H

#include "annotations/services/service_types.h"

/* Call CALL with OPAQUE for every processor, until services_unwatch(). At most SERVICE_WATCHERS observers. */
void services_watch(struct services *services, service_watch_fn *call, void *opaque);
void services_unwatch(struct services *services, service_watch_fn *call, const void *opaque);

/* Notify the observers (service_watch.h) that the service or the process of PERCPU's processor may have changed. */
void service_notify(struct service_cpu *percpu);

#endif
