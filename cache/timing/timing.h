/*
 * Contention delays of an access: write buffers, cache ports, the bus, memory banks.
 *
 * The engine performs an access at once, including tags and states, and records its effects in a struct
 * memsys_response. From that this module computes the CPU's waiting time beyond the latencies, which are the whole
 * stall of an access without contention. A machine without contention has no struct timing (NULL) and no overhead.
 *
 * All parts of an access start at the CPU's time of the access. The time to reach a level is part of the latency, and
 * is known separately only for the bus (bus.request_time).
 *
 * Ordering rule: accesses arrive in the order in which the engine performs them; times may decrease by about
 * machine.quantum.
 */
#ifndef SIMOS_CACHE_TIMING_TIMING_H
#define SIMOS_CACHE_TIMING_TIMING_H

#include "cache/memsys.h"

enum { TIMING_LEVELS = 3, TIMING_BANKS_MAX = 64, RESPONSE_WRITES = 24 };

/* Source of the data: level 1 .. 3, or one of these. CACHE: another CPU's cache. NODE: another cache of the same CPU,
 * with the latency of memory. */
enum memsys_source { SOURCE_NONE, SOURCE_MEMORY = TIMING_LEVELS + 1, SOURCE_CACHE, SOURCE_NODE };

/* Coherence message to the other CPUs, besides the transfer of the line. */
enum memsys_message { MESSAGE_NONE, MESSAGE_UPGRADE, MESSAGE_UPDATE };

/* A write outwards from LEVEL, which the next level or memory takes. */
struct memsys_outward_write {
    uint8_t level;
    bool memory;
    bool store; /* a posted store; else a dirty line that was evicted */
    paddr address;
    uint32_t size;
};

struct memsys_response {
    unsigned cpu;
    cycles now;
    enum memsys_access access;
    paddr address;
    uint8_t size;
    uint8_t from;        /* level that makes the request, from 0: the first, unless it is a prefetch */
    uint8_t source;      /* source of the data: enum memsys_source, or level */
    bool prefetch;       /* the CPU does not need the data yet */
    bool fetched_posted; /* the line was fetched or allocated for a posted store: the CPU does not wait */
    uint8_t message;     /* enum memsys_message; for the posted store, if there is one */
    uint8_t home;        /* level of the shared cache that answers the message; 0: it goes to all on the bus */
    bool memory_updated; /* another cache's line was written to memory as well */
    unsigned writes;
    /* in order; the stores form one chain, from the first level outwards */
    struct memsys_outward_write write[RESPONSE_WRITES];
    cycles stall; /* of the CPU, without contention delays */
};

/* Parameters of the hierarchy. LEVEL 0 is the first; its line is that of the data cache. */
struct timing_environment {
    unsigned cpus;
    uint64_t clock_hz;
    unsigned levels;
    struct {
        uint32_t line;
        bool split;
        unsigned shared; /* how many CPUs share a cache, a power of two; 0 or 1: none do */
        cycles hit_time;
        cycles upgrade_time; /* of a shared level: of an upgrade that it answers */
    } level[TIMING_LEVELS];
    uint32_t block_size; /* of a bus transfer: the last-level line */
    cycles miss_time, intervention_time, upgrade_time, update_time, uncached_latency;
};

struct timing;

/* Builds what PARAMS request: cache.X.occupancy, cache.X.banks, cache.X.write_buffer.*, bus.*, dram.*. *TIMING is NULL
 * if that is nothing. Returns false with ERR naming the parameter that is invalid. */
bool timing_create(struct timing **timing, const struct params *params, const struct timing_environment *environment,
                   struct err *err);
void timing_free(struct timing *timing);

/* Waiting times of a CPU in cycles: on the way of its request, and for free write buffer entries. */
struct timing_wait {
    cycles request, write_buffer;
};

/* The contention delays of RESPONSE's CPU, in addition to its stall. */
struct timing_wait timing_waits(struct timing *timing, const struct memsys_response *response);

/* The wait for a write buffer entry, in cycles, of a store of SIZE bytes that CPU's first level passes on at NOW and
 * the next level or memory takes without other work: as timing_waits() of such a response. */
cycles timing_store(struct timing *timing, unsigned cpu, paddr address, uint32_t size, cycles now);

/* The queue into which timing_store() puts such a store of CPU without further work while there is room, for callers
 * that do that in their own code (cache/store_queue.h); NULL if there is none. */
struct store_queue;
struct store_queue *timing_store_queue(struct timing *timing, unsigned cpu);

/* The write buffer of CPU's LEVEL, from 0, at time NOW (memsys_write_buffer_at()). */
struct memsys_write_buffer timing_write_buffer_at(const struct timing *timing, unsigned cpu, unsigned level,
                                                  cycles now);

/* Contention delay, in cycles, of an uncached access: it is ordered behind the CPU's earlier writes, and uses the bus.
 */
cycles timing_uncached(struct timing *timing, unsigned cpu, enum memsys_access access, paddr address, uint32_t size,
                       cycles now);

/* DMA of SIZE bytes at ADDRESS, within one coherence block. SUPPLIED: a dirty line of a cache is written to memory on
 * the way. */
void timing_dma(struct timing *timing, bool write, bool supplied, paddr address, uint32_t size, cycles now);

/* Reserves the whole bus for a transfer of DURATION cycles that bypasses the caches, requested at NOW. Returns the
 * waiting time in cycles. */
cycles timing_hold_bus(struct timing *timing, cycles now, cycles duration);

/* Empties all write buffers. */
void timing_flush(struct timing *timing);

/* Registers counters: "cpuN.X.write_buffer.", "cpuN.X.port." or "cpuN.X.bankK.", "bus.", "dram.". */
void timing_register_stats(struct timing *timing, struct stats *stats);

/* Prints one line of text each for buffers, bus and banks. */
void timing_describe(const struct timing *timing, FILE *out);

#endif
