/* Connects the miss classification to a memory system: creates it from the parameters and passes it the events of the
 * engine's hooks. Private to cache/. CPU models and the machine use cache/memsys.h; the results are in
 * cache/classify/classify.h. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_MEMSYS_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_MEMSYS_H

#include "cache/state/hooks.h"

struct classify_memsys;

/* Attaches the classification that cache.classify and cache.profile of PARAMS request to MEMSYS; returns NULL if
 * cache.classify is off. Out of memory aborts. */
struct classify_memsys *classify_memsys_create(struct memsys *memsys, const struct params *params);
void classify_memsys_free(struct classify_memsys *classify); /* NULL is fine */

/* Whether classify_memsys_end_access() and the inline functions of cache/classify/classify_inline.h cover all events
 * that it needs. */
bool classify_memsys_is_inline_only(const struct classify_memsys *classify);
/* End of an access that neither classify_first_hit() nor classify_refill() has handled. */
void classify_memsys_end_access(struct classify_memsys *classify, unsigned cpu, const struct memsys_request *request,
                                cycles stall);

/* An access of CPU that fills lines but counts no miss (a prefetch, PREF) takes place at NOW. CLASSIFY may be
 * NULL. */
void classify_memsys_begin_quiet(struct classify_memsys *classify, unsigned cpu, cycles now);

/* REQUEST, which is not an access (PREF), stalls the CPU. CLASSIFY may be NULL. */
void classify_memsys_add_stall(struct classify_memsys *classify, unsigned cpu, const struct memsys_request *request,
                               cycles stall);

/* REQUEST waited WAITED cycles for data from beyond the caches that CPU does not share. CLASSIFY may be NULL. */
void classify_memsys_add_wait(struct classify_memsys *classify, unsigned cpu, const struct memsys_request *request,
                              cycles waited);

/* Settings of CACHE, which exists. CLASSIFY may be NULL. The first returns where to record the times of
 * fast-path hits. The second sets the array of the fast-path permission bytes, by physical
 * line number; NULL if they are stored elsewhere. */
struct memsys_uses classify_memsys_uses(const struct classify_memsys *classify, unsigned cpu, enum memsys_cache cache);
void classify_memsys_permissions_by_line(const struct classify_memsys *classify, unsigned cpu, enum memsys_cache cache,
                                         uint8_t *bytes);

/* Adds the sections "classification" and "classification.times", timing state. */
struct physmem;
struct saved;
void classify_memsys_register_saved(struct classify_memsys *classify, const struct physmem *mem, struct saved *saved);

void classify_memsys_register_stats(const struct classify_memsys *classify, struct stats *stats);

#endif
