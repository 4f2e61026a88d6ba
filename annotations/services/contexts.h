/*
 * Stack profile for flame graphs: time by process, stack of services, and routine. Output is in "folded stacks" format:
 * one line for each stack, its parts joined by ";", then a number.
 *
 * Cycles and stalls of each stack of services are exact: they are charged at every change of service. Routines are
 * sampled: at each sample, what the current stack has accumulated since its last sample is assigned to the routine
 * being executed. So sums are exact, and only their distribution over the routines of a stack is estimated.
 */
#ifndef SIMOS_ANNOTATIONS_CONTEXTS_H
#define SIMOS_ANNOTATIONS_CONTEXTS_H

#include "annotations/services/service_watch.h"
#include <stdio.h>

struct contexts;

/* Start a profile of the processors of SUBJECT, as accounted by SERVICES. Both must outlive it. */
struct contexts *contexts_create(const struct subject *subject, struct services *services);
void contexts_free(struct contexts *contexts); /* NULL is ignored */

/* Reset; call after services_begin_again(). */
void contexts_begin_again(struct contexts *contexts);

/* Sample every processor. NAME stores the name of CORE's current routine in TEXT. Between turns. */
typedef void contexts_name_fn(void *opaque, struct core *core, char *text, size_t size);
void contexts_sample(struct contexts *contexts, contexts_name_fn *name, void *opaque);

/* Charge everything up to now. Between turns. */
void contexts_settle(struct contexts *contexts);

/* Write the profile, sorted by text; after contexts_settle(). Weight after a stack's last sample has no routine. */
enum contexts_weight { CONTEXTS_CYCLES, CONTEXTS_STALL };
void contexts_write(const struct contexts *contexts, enum contexts_weight weight, FILE *out);

#endif
