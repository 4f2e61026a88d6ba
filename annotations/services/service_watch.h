/*
 * Observers of the service accounting, called at every change of what a processor is charged to; timelines and stack
 * profiles are made from them. Without observers a change costs one test.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_WATCH_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_WATCH_H

#include "annotations/services/services.h"

/* SERVICE_LEVELS: the frames and the level below them. */
enum { SERVICE_WATCHERS = 4, SERVICE_LEVELS = 25 };

/* Called when CORE's current service or process may have changed; everything up to now has been charged to the
 * previous one. Must not change the service accounting. */
typedef void service_watch_fn(void *opaque, struct core *core);

/* Call CALL with OPAQUE for every processor, until services_unwatch(). At most SERVICE_WATCHERS observers. */
void services_watch(struct services *services, service_watch_fn *call, void *opaque);
void services_unwatch(struct services *services, service_watch_fn *call, const void *opaque);

/* A level of the stack of services that a processor is executing. */
struct service_level {
    unsigned service;
    enum service_class class;
    cycles begun; /* perhaps on another processor; 0: not a call (user mode, idle, kernel thread ...) */
};

/* Store CORE's stack of services in LEVELS, innermost last. The first level is the service outside of any frame,
 * unless the frames were entered from user mode. Returns the number of levels, at least 1. */
unsigned services_stack(const struct services *services, const struct core *core,
                        struct service_level levels[SERVICE_LEVELS]);

/* Name of service number SERVICE. */
const char *services_name(const struct services *services, unsigned service);

/* Cycles charged on CORE since creation or reset, up to the last change of service, and the memory stall cycles
 * among them. */
struct service_cost {
    cycles cycles, stall;
};
struct service_cost services_cost(const struct services *services, const struct core *core);

/* Charge all processors up to now. Between turns of the processors. */
void services_charge(struct services *services);

#endif
