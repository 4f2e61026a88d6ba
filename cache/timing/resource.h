/*
 * Reservation table of one resource (wires of a bus, a bank of memory, the port of a cache).
 *
 * CPUs run in turns of machine.quantum cycles, so requests do not arrive in time order. A request gets the first free
 * interval at or after its own time, whatever the order of the calls. Reservations never overlap.
 *
 * Ordering rule: call order decides between requests for the same time. Times are CPU cycles.
 *
 * Not modelled: priorities. A request with priority first cancels the reservations that it may pass (write_buffer.h).
 */
#ifndef SIMOS_CACHE_TIMING_RESOURCE_H
#define SIMOS_CACHE_TIMING_RESOURCE_H

#include "src/base/stats.h"
#include "src/base/types.h"

/* Maximum number of separate busy intervals in the table. */
enum { RESOURCE_INTERVALS = 256 };

/* A busy interval: from start up to, not including, end. */
struct stretch {
    cycles start, end;
};

struct resource_counts {
    uint64_t requests;
    uint64_t waited; /* requests that did not start at their own time */
    uint64_t busy;   /* cycles in use */
    uint64_t wait;   /* total waiting time, cycles */
    uint64_t late;   /* requests for a time before `table_start` */
};

/* The busy intervals are in stretch[first .. last - 1], in time order and disjoint. When the array is full they are
 * moved to its start. */
struct resource {
    struct stretch stretch[2 * RESOURCE_INTERVALS];
    uint32_t first, last;
    cycles table_start; /* start of the table: before this time nothing is known, and nothing can be reserved */
    struct resource_counts counts;
};

/* COUNT resources, a power of two, that have blocks of memory in turn; each block has 1 << BLOCK_SHIFT bytes. BANK
 * NULL: none. */
struct banks {
    struct resource *bank;
    uint32_t count, block_shift;
};

/* The resource of BANKS, which are some, that has ADDRESS. */
static inline struct resource *banks_at(const struct banks *banks, paddr address)
{
    return &banks->bank[address >> banks->block_shift & (banks->count - 1)];
}

/* The reservations of one operation, so that it can be cancelled. */
enum { RESERVATIONS_MAX = 4 };
struct reservation {
    struct resource *resource;
    cycles requested, start, duration;
};
struct reservations {
    uint32_t count;
    struct reservation reservation[RESERVATIONS_MAX];
};

/* Initialises a resource without reservations. */
void resource_init(struct resource *resource);

/* The first time at or after NOW from which RESOURCE is free for DURATION cycles. DURATION 0: NOW. */
cycles resource_find(const struct resource *resource, cycles now, cycles duration);

/* As resource_reserve(), for any request. */
cycles resource_reserve_any(struct resource *resource, cycles now, cycles duration, struct reservations *log);

/* Reserves DURATION cycles for a request at time NOW. Returns the start time, as resource_find(). Adds the reservation
 * to LOG unless LOG is NULL; more than RESERVATIONS_MAX in one LOG abort. Most requests come in time order: the new
 * interval joins the latest one or follows it. */
static inline cycles resource_reserve(struct resource *resource, cycles now, cycles duration, struct reservations *log)
{
    if (SIM_UNLIKELY(resource->last == resource->first || resource->last == 2 * RESOURCE_INTERVALS))
        return resource_reserve_any(resource, now, duration, log);
    struct stretch *latest = &resource->stretch[resource->last - 1];
    if (SIM_UNLIKELY(now < latest->start || !duration || (log && log->count == RESERVATIONS_MAX)))
        return resource_reserve_any(resource, now, duration, log);
    cycles start = now;
    if (now <= latest->end) {
        start = latest->end;
        latest->end = start + duration;
        resource->counts.waited += start > now;
        resource->counts.wait += start - now;
    } else {
        if (resource->last - resource->first == RESOURCE_INTERVALS) /* the oldest one is dropped */
            resource->table_start = resource->stretch[resource->first++].end;
        latest[1] = (struct stretch){now, now + duration};
        resource->last++;
    }
    resource->counts.requests++;
    resource->counts.busy += duration;
    if (log)
        log->reservation[log->count++] = (struct reservation){resource, now, start, duration};
    return start;
}

/* Cancels all reservations in LOG, and their effect on the counters. LOG is empty afterwards. */
void reservations_cancel(struct reservations *log);

/* A resource and the latest time at which it was used, for statistics relative to time. */
struct resource_view {
    const struct resource *resource;
    const cycles *latest;
};

/* Registers the counters under NAME ("bus.data"), with utilisation (busy time / time) and queue (mean number of waiting
 * requests). VIEW and its targets must outlive STATS. */
void resource_register_stats(const struct resource_view *view, struct stats *stats, const char *name);

#endif
