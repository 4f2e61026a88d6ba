/*
 * Accesses of a CPU that goes on while lines are on their way: caches with miss registers ("non-blocking ... up to four
 * outstanding misses", SOSP'95 section 3.3), beside memsys_access().
 *
 * An access takes its effect on tags and states at once, as memsys_access() does it. What is added is when its line is
 * there: a line on its way occupies a miss register of each cache that missed, until it comes; later accesses to it
 * join the register and wait as long. An access that finds no register free cannot be made yet.
 *
 * Not modelled: that an invalidation or replacement meets a line on its way (it takes effect at once; who waits for the
 * line gets it at the time that was foreseen); a limit to accesses that join a register; registers of a third level.
 */
#ifndef SIMOS_CACHE_NONBLOCKING_H
#define SIMOS_CACHE_NONBLOCKING_H

#include "cache/memsys.h"
#include "src/base/saved.h"

struct nonblocking;

/* For CPU of MEMSYS, which is not flat. PARAMS: cache.l1i, .l1d, .l2 + .outstanding. */
struct nonblocking *nonblocking_create(struct memsys *memsys, unsigned cpu, const struct params *params);
void nonblocking_free(struct nonblocking *nonblocking);

struct nonblocking_result {
    cycles ready;     /* when the line is there, request->now for a hit; not made: when it may be tried again */
    enum stall stall; /* what a wait for it is charged to */
    bool joined;      /* the line was on its way already */
};

/* Make the access of REQUEST; its bucket gets the stall that a CPU would have that waits, and the misses. False: no
 * miss register is free, nothing has been done. */
bool nonblocking_access(struct nonblocking *nonblocking, const struct memsys_request *request,
                        struct nonblocking_result *result);

/* REQUEST hits (the CPU knows that from its quick-check byte): when is the line there? False: it is, or has been for
 * long. */
bool nonblocking_is_coming(const struct nonblocking *nonblocking, enum memsys_access access, paddr address, cycles now,
                           struct nonblocking_result *result);

/* For a checkpoint: what is on its way. The parameters are the same where it is loaded. */
void nonblocking_save(const struct nonblocking *nonblocking, struct saved_out *out);
bool nonblocking_load(struct nonblocking *nonblocking, struct saved_in *in, struct err *err);
/* Is everything there by LATEST? Otherwise false with ERR: no line that is loaded takes so long. */
bool nonblocking_check(const struct nonblocking *nonblocking, cycles latest, struct err *err);

#endif
