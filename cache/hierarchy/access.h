/* Cache accesses through the levels of one CPU. Private to cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_ACCESS_H
#define SIMOS_CACHE_HIERARCHY_ACCESS_H

#include "cache/state/engine.h"

/* Performs any access in any hierarchy. */
access_function access_any;

/* Performs any access and adds its contention delays (memsys->timing). */
access_function access_timed;

/* Completes REQUEST, for the line in ENTRY of its first level, which is partly valid. Returns the stall in cycles. */
cycles access_partial(struct memsys *memsys, unsigned cpu, const struct memsys_request *request, uint32_t entry);

/* memsys->bring of a memory system with caches. */
fetch_function access_fill_for_prefetch;

/* Selects the functions that memsys_access calls (memsys->entry, plain), by hierarchy and by attached observers. */
void access_choose(struct memsys *memsys);

/* shapes.c: the function for accesses of kind ACCESS, with contention delays if they are modelled: one compiled for the
 * shape of MEMSYS and its observers, or access_any or access_timed. REPORTS_END: it reports the end of an access to the
 * classification, the only observer, itself. */
access_function *access_of_shape(const struct memsys *memsys, enum memsys_access access, bool *reports_end);

/* Record in RESPONSE the effects of REQUEST, which is performed between the two; then return its stall, which the
 * caller has put into RESPONSE, with the contention delays, which are charged. */
void access_begin_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                        struct memsys_response *response);
cycles access_end_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                        const struct memsys_response *response);

#endif
