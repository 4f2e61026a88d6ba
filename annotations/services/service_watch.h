/*
 * Who wants to know what a processor is charged to, at every change of it: time lines and stacks are made from that.
 * Costs a look at a pointer at each change while nobody watches.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICE_WATCH_H
#define SIMOS_ANNOTATIONS_SERVICE_WATCH_H

#include "annotations/services/services.h"

enum { SERVICE_WATCHERS = 4, SERVICE_LEVELS = 25 /* frames and what is below them */ };

/* What CORE is charged to may be something else from now on; everything up to now has been charged to what it was.
 * Changes nothing of the services. */
typedef void service_watch_fn(void *opaque, struct core *core);

/* CALL hears, with OPAQUE, of every processor. */
void services_watch(struct services *services, service_watch_fn *call, void *opaque);
void services_unwatch(struct services *services, service_watch_fn *call, const void *opaque);

/* One of the services that a processor is in the middle of. */
struct service_level {
    unsigned service;
    enum service_class class;
    cycles begun; /* perhaps on another processor; 0: it is no call (the program, idling, a daemon ...) */
};

/* What CORE is charged to now: the innermost service last; below the calls what there is outside of any, unless the
 * calls came from user mode. At least one level. Returns how many. */
unsigned services_stack(const struct services *services, const struct core *core,
                        struct service_level levels[SERVICE_LEVELS]);

/* Name of a service by its number. */
const char *services_name(const struct services *services, unsigned service);

/* What has been charged on CORE since the beginning, up to the last change: all cycles, and those of them that memory
 * took. */
struct service_cost {
    cycles cycles, stall;
};
struct service_cost services_cost(const struct services *services, const struct core *core);

/* Charge everything up to now. Between turns of the processors. */
void services_flush(struct services *services);

#endif
