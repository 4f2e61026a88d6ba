/*
 * A reservation calendar: when one resource (wires of a bus, a bank of memory, the port of a cache) is in use.
 *
 * CPUs run in turns of machine.quantum cycles, so requests come out of the order of their times; a request takes the
 * first stretch of free time at or after its own time, whoever asked before. Nothing is ever given to two at once.
 *
 * Ordering rule: the order of calls decides between requests that want the same time. Times are CPU cycles.
 *
 * Not modelled: priorities. Who may pass others takes his reservations back first (write_buffer.h).
 */
#ifndef SIMOS_CACHE_RESOURCE_H
#define SIMOS_CACHE_RESOURCE_H

#include "src/base/stats.h"
#include "src/base/types.h"

/* How many separate stretches of busy time are remembered. */
enum { RESOURCE_STRETCHES = 256 };

/* Busy from start up to, but not including, end. */
struct stretch {
    cycles start, end;
};

struct resource_counts {
    uint64_t requests;
    uint64_t waited; /* requests that did not start at their own time */
    uint64_t busy;   /* cycles in use */
    uint64_t wait;   /* cycles that requests waited, in all */
    uint64_t late;   /* requests for a time that had been forgotten */
};

/* Stretches in order of time, apart from each other, in stretch[first .. last - 1]: the room below first is moved away
 * when the array is full. */
struct resource {
    struct stretch stretch[2 * RESOURCE_STRETCHES];
    uint32_t first, last;
    cycles forgotten; /* nothing is known, and nothing given any more, before this time */
    struct resource_counts counts;
};

/* What one operation has reserved, so that it can be taken back. */
enum { BOOKINGS_MAX = 4 };
struct booking {
    struct resource *resource;
    cycles asked, start, duration;
};
struct bookings {
    uint32_t count;
    struct booking booking[BOOKINGS_MAX];
};

/* A resource that is free for ever. */
void resource_init(struct resource *resource);

/* The first time, at or after NOW, from which RESOURCE is free for DURATION cycles. DURATION 0: NOW. */
cycles resource_find(const struct resource *resource, cycles now, cycles duration);

/* Take DURATION cycles for a request of the time NOW: the time from which they are taken, resource_find()'s. Noted in
 * LOG unless that is NULL; a LOG takes BOOKINGS_MAX, one more aborts. */
cycles resource_reserve(struct resource *resource, cycles now, cycles duration, struct bookings *log);

/* Take back all that is noted in LOG, with what it counted. LOG is empty afterwards. */
void bookings_release(struct bookings *log);

/* A resource and the time up to which it has been used, for what is relative to time. */
struct resource_view {
    const struct resource *resource;
    const cycles *latest;
};

/* Register the counters under NAME ("bus.data"), and utilisation (busy time / time) and queue (mean number of requests
 * that wait). VIEW and what it points to must outlive STATS. */
void resource_register_stats(const struct resource_view *view, struct stats *stats, const char *name);

#endif
