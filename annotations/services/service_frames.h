/*
 * What a processor executes, as its frames say.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_FRAMES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_FRAMES_H

#include "annotations/services/service_types.h"

/* The innermost frame of TASK; NULL: none. */
struct frame *service_top(struct task *task);
/* The service that PERCPU charges outside of any frame; that of TASK outside of any exception when it resumes in the
 * kernel, unless it is an idle task. */
unsigned service_outside_frames(const struct service_cpu *percpu);
unsigned service_outside(const struct task *task);

/* The frames and the level below them. */
enum { SERVICE_LEVELS = 25 };

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

/* Name of the service that CORE is currently charged to. */
const char *services_current(struct services *services, struct core *core);

#endif
