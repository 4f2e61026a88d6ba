/*
 * Where time goes, by what the processors were in the middle of: process, services one on top of the other, and within
 * those the routines. For flame graphs: a line a stack, its parts joined by ";", then a number ("folded stacks").
 *
 * Cycles and stalls of each stack of services are exact: charged at every change, like the services themselves. Which
 * routines they were spent in is sampled: at each sample, what a stack has got since its last one goes to the routine
 * that is being executed. So sums are exact and only their division among the routines of a stack is estimated.
 */
#ifndef SIMOS_ANNOTATIONS_CONTEXTS_H
#define SIMOS_ANNOTATIONS_CONTEXTS_H

#include "annotations/services/service_watch.h"
#include <stdio.h>

struct contexts;

/* From now on, of the processors of SUBJECT as SERVICES know them. Both must outlive it. */
struct contexts *contexts_create(const struct subject *subject, struct services *services);
void contexts_free(struct contexts *contexts); /* NULL is fine */

/* Everything so far is forgotten: after services_begin_again(). */
void contexts_begin_again(struct contexts *contexts);

/* A sample of every processor. NAME puts the name of the routine that CORE is in into TEXT. Between turns. */
typedef void contexts_name_fn(void *opaque, struct core *core, char *text, size_t size);
void contexts_sample(struct contexts *contexts, contexts_name_fn *name, void *opaque);

/* Bring everything up to now. Between turns. */
void contexts_settle(struct contexts *contexts);

/* The file: stacks in order of their text. What came after a stack's last sample has no routine. Settled. */
enum contexts_weight { CONTEXTS_CYCLES, CONTEXTS_STALL };
void contexts_write(const struct contexts *contexts, enum contexts_weight weight, FILE *out);

#endif
