/*
 * Non-blocking caches with MSHRs, on top of memsys_access(), for a CPU that executes past its misses ("non-blocking ...
 * up to four outstanding misses", SOSP'95 section 3.3).
 *
 * An access changes tags and states at once, as in memsys_access(). This module adds the time at which the line
 * arrives. A line in flight occupies an MSHR of each cache that missed, until it arrives; later accesses to the line
 * merge with the MSHR (secondary misses) and wait until the same time. An access that finds no free MSHR has to be
 * retried later. So does one that cannot merge because the MSHR has all its targets, the accesses that it can remember
 * (Farkas and Jouppi, ISCA 1994): that cache then takes no access until the line arrives.
 *
 * Not modelled: invalidation or eviction of a line in flight (it takes effect at once, and accesses that wait for the
 * line still complete at the original time); MSHRs of a third level.
 */
#ifndef SIMOS_CACHE_NONBLOCKING_H
#define SIMOS_CACHE_NONBLOCKING_H

#include "cache/memsys.h"
#include "src/base/saved.h"

struct nonblocking;

/* Creates the MSHRs for CPU of MEMSYS, which is not flat. PARAMS: cache.l1i, .l1d, .l2 + .outstanding give their
 * numbers, + .targets the accesses that each can have, the one that missed included (0: any number). */
struct nonblocking *nonblocking_create(struct memsys *memsys, unsigned cpu, const struct params *params);
void nonblocking_free(struct nonblocking *nonblocking);

/* What an access adds to the cycles with misses of the last level outstanding. */
struct nonblocking_outstanding {
    cycles any, several; /* with one or more; with two or more */
    cycles total;        /* how long each is outstanding, all together: what they take one after another */
};

struct nonblocking_result {
    cycles ready;     /* arrival of the line, request->now for a hit; if the access was refused: when to retry it */
    enum stall stall; /* the category that a wait for the line is charged to */
    bool merged;      /* secondary miss: the line was already in flight */
    bool refused;     /* not made, for want of a target; READY is when to retry it */
    struct nonblocking_outstanding outstanding; /* of a primary miss */
};

/* Performs the access of REQUEST. Its bucket receives the misses, and the stall that a blocking CPU would have. Returns
 * false, without side effects on the caches, if no MSHR is free. */
bool nonblocking_access(struct nonblocking *nonblocking, const struct memsys_request *request,
                        struct nonblocking_result *result);

/* An access hits by its fast-path permission. Returns true if the line is still in flight at NOW: the access has merged
 * with the MSHR and gets the line at the time in RESULT. The same if it has to be retried then (RESULT->refused). */
bool nonblocking_in_flight(struct nonblocking *nonblocking, enum memsys_access access, paddr address, cycles now,
                           struct nonblocking_result *result);

/* Checkpoint of the lines in flight. The parameters must be the same when it is loaded. */
void nonblocking_save(struct nonblocking *nonblocking, struct saved_out *out);
bool nonblocking_load(struct nonblocking *nonblocking, struct saved_in *in, struct err *err);
/* Returns false with ERR if a line in flight arrives after LATEST: no access takes that long. */
bool nonblocking_check(const struct nonblocking *nonblocking, cycles latest, struct err *err);

#endif
