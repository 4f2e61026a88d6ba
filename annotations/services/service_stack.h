/*
 * The automata: the frames of each process's kernel stack, and the CPU events that change them.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_STACK_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_STACK_H

#include "annotations/services/service_types.h"

extern const struct core_observer service_observer;
/* Determine the target of further charges from the mode and the innermost frame. */
void service_select_target(struct service_cpu *percpu);
/* Push a frame of SERVICE on the current task's stack. EXCEPTION: it ends with an eret. */
void service_push(struct service_cpu *percpu, unsigned service, enum service_class class, bool exception);
/* Pop the innermost frame, which must exist, and account its latency. */
void service_pop(struct service_cpu *percpu);
/* Change the service of the innermost frame to SERVICE, with RANK. */
void service_reclassify(struct service_cpu *percpu, unsigned service, uint8_t rank);
/* Context switch of PERCPU's processor to TASK. */
void service_context_switch(struct service_cpu *percpu, struct task *task);

#endif
