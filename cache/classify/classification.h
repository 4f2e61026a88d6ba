/*
 * The classification of misses as a memory system has it: built from parameters, told of what happens by the hooks of
 * the engine. Private to cache/; what CPU models and the machine need of it is in cache/memsys.h, its results in
 * cache/classify/classify.h.
 */
#ifndef SIMOS_CACHE_CLASSIFICATION_H
#define SIMOS_CACHE_CLASSIFICATION_H

#include "cache/state/hooks.h"

struct classification;

/* Attach to MEMSYS what cache.classify and cache.profile of PARAMS ask for: NULL if nothing. Out of memory aborts. */
struct classification *classification_create(struct memsys *memsys, const struct params *params);
void classification_free(struct classification *classification); /* NULL is fine */

/* Does it care for nothing but what classification_end() and the short cuts of cache/classify/classify.h tell? */
bool classification_is_brief(const struct classification *classification);
/* The end of an access that classify_first_hit() or classify_exchange() has not told of. */
void classification_end(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                        cycles stall);

/* What REQUEST waited WAITED cycles for came from beyond the last level. NULL is fine. */
void classification_waited(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                           cycles waited);

/* Of CACHE, which there is (NULL is fine): where the times of unseen uses are noted, or NULL; its quick bytes are in
 * BYTES, by number of the physical line, or elsewhere (NULL). */
cycles *classification_use_times(const struct classification *classification, unsigned cpu, enum memsys_cache cache);
void classification_quick_by_line(const struct classification *classification, unsigned cpu, enum memsys_cache cache,
                                  uint8_t *bytes);

/* Add the sections "classification" and "classification.times", of timing. */
struct physmem;
struct saved;
void classification_register_saved(struct classification *classification, const struct physmem *mem,
                                   struct saved *saved);

void classification_register_stats(const struct classification *classification, struct stats *stats);

#endif
