/*
 * The member "evictions" of the statistics: which functions and data evict each other, from cache.evictors
 * (cache/classify/evictors.h; docs/reference/miss-classes.md, "Who evicted it").
 */
#ifndef SIMOS_OBSERVE_EVICTIONS_H
#define SIMOS_OBSERVE_EVICTIONS_H

#include "src/machine/machine.h"

/* Adds it to MACHINE's statistics, unless cache.evictors is off. */
void evictions_register(struct machine *machine);
/* The measured part of the run begins: count from 0. */
void evictions_begin(struct machine *machine);

#endif
