/* Connects the miss classification to a memory system: creates it from the parameters and passes it the events of the
 * engine's hooks. Private to cache/. CPU models and the machine use cache/memsys.h; the results are in
 * cache/classify/classify.h. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFICATION_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFICATION_H

#include "cache/state/hooks.h"

struct classification;

/* Attaches the classification that cache.classify and cache.profile of PARAMS request to MEMSYS; returns NULL if
 * cache.classify is off. Out of memory aborts. */
struct classification *classification_create(struct memsys *memsys, const struct params *params);
void classification_free(struct classification *classification); /* NULL is fine */

/* Whether classification_end() and the inline functions of cache/classify/classify_inline.h cover all events that it
 * needs. */
bool classification_is_inline_only(const struct classification *classification);
/* End of an access that neither classify_first_hit() nor classify_refill() has handled. */
void classification_end(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                        cycles stall);

/* An access of CPU that fills lines but counts no miss (a prefetch, PREF) takes place at NOW. CLASSIFICATION may be
 * NULL. */
void classification_begin_quiet(struct classification *classification, unsigned cpu, cycles now);

/* REQUEST, which is not an access (PREF), stalls the CPU. CLASSIFICATION may be NULL. */
void classification_add_stall(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                              cycles stall);

/* REQUEST waited WAITED cycles for data from beyond the last level. CLASSIFICATION may be NULL. */
void classification_add_wait(struct classification *classification, unsigned cpu, const struct memsys_request *request,
                             cycles waited);

/* Settings of CACHE, which exists. CLASSIFICATION may be NULL. The first returns where to record the times of
 * fast-path hits. The second sets the array of the fast-path permission bytes, by physical
 * line number; NULL if they are stored elsewhere. */
struct memsys_uses classification_uses(const struct classification *classification, unsigned cpu,
                                       enum memsys_cache cache);
void classification_permissions_by_line(const struct classification *classification, unsigned cpu,
                                        enum memsys_cache cache, uint8_t *bytes);

/* Adds the sections "classification" and "classification.times", timing state. */
struct physmem;
struct saved;
void classification_register_saved(struct classification *classification, const struct physmem *mem,
                                   struct saved *saved);

void classification_register_stats(const struct classification *classification, struct stats *stats);

#endif
