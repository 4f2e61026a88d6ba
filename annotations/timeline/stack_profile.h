/*
 * Stack profile for flame graphs: time by process, stack of services, and routine. Output is in "folded stacks" format:
 * one line for each stack, its parts joined by ";", then a number.
 *
 * Cycles and stalls of each stack of services are exact: they are charged at every change of service. Routines are
 * sampled: at each sample, what the current stack has accumulated since its last sample is assigned to the routine
 * being executed. So sums are exact, and only their distribution over the routines of a stack is estimated.
 */
#ifndef SIMOS_ANNOTATIONS_TIMELINE_STACK_PROFILE_H
#define SIMOS_ANNOTATIONS_TIMELINE_STACK_PROFILE_H

#include "annotations/services/service_watch.h"
#include <stdio.h>

struct stack_profile;

/* Start a profile of the processors of MACHINE, as accounted by SERVICES. Both must outlive it. */
struct stack_profile *stack_profile_create(const struct machine_view *machine, struct services *services);
void stack_profile_free(struct stack_profile *contexts); /* NULL is ignored */

/* Reset; call after services_reset(). */
void stack_profile_reset(struct stack_profile *contexts);

/* Sample every processor. NAME stores the name of CORE's current routine in TEXT. Between turns. */
typedef void stack_profile_name_fn(void *opaque, struct core *core, char *text, size_t size);
void stack_profile_sample(struct stack_profile *contexts, stack_profile_name_fn *name, void *opaque);

/* Charge everything up to now. Between turns. */
void stack_profile_update(struct stack_profile *contexts);

/* Write the profile, sorted by text; after stack_profile_update(). Weight after a stack's last sample has no routine.
 */
enum stack_profile_weight { STACK_PROFILE_CYCLES, STACK_PROFILE_STALL };
void stack_profile_write(const struct stack_profile *contexts, enum stack_profile_weight weight, FILE *out);

#endif
