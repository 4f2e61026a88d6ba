/*
 * Who evicted whom: which lines took the place of the lines that miss (parameter cache.evictors). For each line that a
 * cache lost by replacement it knows what was accessed when another line took its place; a miss of the line counts the
 * pair of the two. docs/reference/miss-classes.md, "Who evicted it".
 *
 * What is accessed has a key, with the guest's own addresses, wherever the caches see them (cache/placement/).
 *
 * Not modelled: which of several lines that were brought in one after the other made a set too small. The evictor is
 * the last one. Nothing is saved: after a restore the lines lost before it have no known evictor.
 *
 * It observes the caches and changes nothing. Without it nothing is called.
 */
#ifndef SIMOS_CACHE_CLASSIFY_EVICTORS_H
#define SIMOS_CACHE_CLASSIFY_EVICTORS_H

#include "cache/memsys.h"

struct evictors;

/* A key: what the instruction or the data at an address is, as in the profiles (classify_named_key(), or without a
 * naming classify_key(); cache/classify/classify.h), with one of these bits. */
enum { EVICTORS_KEY_BITS = 61 };
#define EVICTORS_CODE (UINT64_C(1) << 63) /* an instruction; without it and the next bit: data */
/* A line that no access has touched: it was prefetched or written back. Bits 31:0: its address, as the caches see it.
 */
#define EVICTORS_LINE (UINT64_C(1) << EVICTORS_KEY_BITS)

/* Misses of what MISSED is, after a line that was brought for EVICTED_BY had taken its place. SET: of the cache that
 * missed. */
struct evictor_pair {
    uint64_t missed, evicted_by;
    uint32_t set;
    uint64_t misses;
};

/* The record of MEMSYS; NULL if cache.evictors is off. */
const struct evictors *memsys_evictors(const struct memsys *memsys);
/* From now on counts begin at 0. What is known of lines stays. Nothing if cache.evictors is off. */
void memsys_begin_evictors(struct memsys *memsys);

/* The pairs of CPU's CACHE, in no particular order. *COUNT is 0 if it does not exist. Valid until the next access. */
const struct evictor_pair *evictors_pairs(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache,
                                          size_t *count);
/* Misses of CPU's CACHE, of lines that it had lost by replacement, that are in no pair. */
uint64_t evictors_unknown(const struct evictors *evictors, unsigned cpu, enum memsys_cache cache);

/* For cache/classify/classify_memsys.c. */
struct classify;

/* Begins to record in MEMSYS, whose misses CLASSIFY, attached before, classifies; NUMBER [MEMSYS_CACHES] has its
 * numbers of the caches. Out of memory aborts. */
struct evictors *evictors_create(struct memsys *memsys, const struct classify *classify, const uint8_t *number);
void evictors_free(struct evictors *evictors);  /* NULL is fine */
void evictors_begin(struct evictors *evictors); /* memsys_begin_evictors() */
/* The caches have been loaded from a checkpoint: nothing is known of any line. */
void evictors_forget(struct evictors *evictors);

#endif
