/*
 * What an access has to wait for: write buffers, ports of caches, the bus, memory's banks.
 *
 * The engine does an access at once, tags and states and all, and notes what went where in a struct memsys_outcome.
 * From that this module tells what the CPU waits beyond the latencies, which are the whole stall of an access that
 * nobody is in the way of. A machine without any of it has no struct timing (NULL), and pays nothing.
 *
 * All of a request's ways begin at the CPU's time of the access: the time it takes to get to a level is in the latency,
 * and is known only for the bus (bus.request_time).
 *
 * Ordering rule: accesses in the order in which the engine does them; times may go back by about machine.quantum.
 */
#ifndef SIMOS_CACHE_TIMING_H
#define SIMOS_CACHE_TIMING_H

#include "cache/memsys.h"

enum { TIMING_LEVELS = 3, OUTCOME_WRITES = 24 };

/* From where a line came: level 1 .. 3 held it, or ... NODE: the CPU's other caches, at memory's latency. */
enum memsys_served { SERVED_NOTHING, SERVED_MEMORY = TIMING_LEVELS + 1, SERVED_CACHE, SERVED_NODE };

/* What the other CPUs were told besides. */
enum memsys_told { TOLD_NOTHING, TOLD_UPGRADE, TOLD_UPDATE };

/* Something written outwards from LEVEL: taken by the next level, or by memory. */
struct memsys_outward {
    uint8_t level;
    bool memory;
    bool store; /* a posted store on its way; else a dirty line that had to leave */
    paddr address;
    uint32_t size;
};

struct memsys_outcome {
    unsigned cpu;
    cycles now;
    enum memsys_access access;
    paddr address;
    uint8_t size;
    uint8_t from;        /* level, from 0, that asks: the first unless it is a prefetch */
    uint8_t served;      /* enum memsys_served, or level */
    bool fetched_posted; /* a posted store's line was fetched: the CPU does not wait */
    uint8_t told;        /* enum memsys_told; of a posted store, if there is one */
    bool memory_updated; /* another cache's line went to memory too */
    unsigned writes;
    struct memsys_outward write[OUTCOME_WRITES]; /* in order; stores: one chain, from the first level outwards */
    cycles stall;                                /* of the CPU, without waits */
};

/* What timing must know of the hierarchy. LEVEL 0 is the first; its line is the data cache's. */
struct timing_environment {
    unsigned cpus;
    uint64_t clock_hz;
    unsigned levels;
    struct {
        uint32_t line;
        bool split;
        cycles hit_time;
    } level[TIMING_LEVELS];
    uint32_t unit; /* what goes over the bus: the last level's line */
    cycles miss_time, intervention_time, upgrade_time, update_time, uncached_latency;
};

struct timing;

/* Build what PARAMS ask for: cache.X.occupancy, cache.X.write_buffer.*, bus.*, dram.*. *TIMING is NULL if that is
 * nothing. Fails naming the parameter. */
bool timing_create(struct timing **timing, const struct params *params, const struct timing_environment *environment,
                   struct err *err);
void timing_free(struct timing *timing);

/* What a CPU waits: for what it asked, on the way there; for places in write buffers. */
struct timing_wait {
    cycles request, write_buffer;
};

/* The cycles that OUTCOME's CPU waits more than its stall. */
struct timing_wait timing_waits(struct timing *timing, const struct memsys_outcome *outcome);

/* The same for an uncached access: it stays in order with the CPU's writes before it, and takes the bus. */
cycles timing_uncached(struct timing *timing, unsigned cpu, enum memsys_access access, paddr address, uint32_t size,
                       cycles now);

/* A device writes, or reads, SIZE bytes at ADDRESS, within one unit; SUPPLIED: a cache's dirty line goes to memory on
 * the way. */
void timing_dma(struct timing *timing, bool write, bool supplied, paddr address, uint32_t size, cycles now);

/* A transfer past the caches wants the whole bus at NOW for DURATION cycles: the wait until it has it. */
cycles timing_hold_bus(struct timing *timing, cycles now, cycles duration);

/* All write buffers are empty. */
void timing_flush(struct timing *timing);

/* Register counters: "cpuN.X.write_buffer.", "cpuN.X.port.", "bus.", "dram.". */
void timing_register_stats(struct timing *timing, struct stats *stats);

/* A line of text each for buffers, bus and banks. */
void timing_describe(const struct timing *timing, FILE *out);

#endif
