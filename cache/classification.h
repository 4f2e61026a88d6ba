/*
 * The classification of misses as a memory system has it: built from parameters, told of what happens by the hooks of
 * the engine. Private to cache/; what CPU models and the machine need of it is in cache/memsys.h, its results in
 * cache/classify.h.
 */
#ifndef SIMOS_CACHE_CLASSIFICATION_H
#define SIMOS_CACHE_CLASSIFICATION_H

#include "cache/hooks.h"

struct classification;

/* Attach to MEMSYS what cache.classify and cache.profile of PARAMS ask for: NULL if nothing. Out of memory aborts. */
struct classification *classification_create(struct memsys *memsys, const struct params *params);
void classification_free(struct classification *classification); /* NULL is fine */

/* Does it care for nothing but what the following tell? */
bool classification_is_brief(const struct classification *classification);
/* The first-level caches' most frequent events in one call each, instead of those of hooks.h: a hit; a miss that the
 * second level L2 answers, which takes the place of VICTIM (0: of none). Both return what may be done to the line
 * unseen, of QUICK_WRITE. */
uint32_t classification_first_hit(struct classification *classification, unsigned cpu, enum memsys_cache l1,
                                  const struct memsys_request *request);
uint32_t classification_exchange(struct classification *classification, unsigned cpu, enum memsys_cache l1,
                                 enum memsys_cache l2, const struct memsys_request *request, paddr victim);
/* The end of any other access. */
void classification_end(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                        cycles stall);

void classification_register_stats(const struct classification *classification, struct stats *stats);

#endif
