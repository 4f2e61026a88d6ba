/*
 * Replacement policies: a row of replacement.def each, with its operations in replacement.c. Private to cache/.
 *
 * A policy keeps its state of a set in the set's order: one word, or a few where one does not suffice. It knows neither
 * lines nor states. Empty ways are filled before a victim is taken: of a policy with ranks the way of the last rank is
 * next, of the others the lowest empty one.
 */
#ifndef SIMOS_CACHE_STATE_REPLACEMENT_H
#define SIMOS_CACHE_STATE_REPLACEMENT_H

#include "src/base/types.h"

enum { REPLACEMENT_WAYS = 32, REPLACEMENT_WORDS = 4 }; /* most ways of a set; most words of its order */

/* A policy. WAYS is the number of ways of a set, 2 to REPLACEMENT_WAYS; WAY is one of them, from 0. */
struct replacement {
    const char *name, *label, *brief;
    /* True LRU, which stack algorithms and the shapes of an access rely on: its order is a list of ways (lru_touch). */
    bool exact_lru;
    uint32_t (*words)(uint32_t ways);                /* of an order; NULL: 1 */
    void (*initial)(uint64_t *order, uint32_t ways); /* of a set without lines; NULL: zero */
    /* WAY is hit. It changes nothing if WAY was hit or, where fill is the same function, filled last of the set's ways.
     * NULL: hits never change anything. */
    void (*touch)(uint64_t *order, uint32_t ways, unsigned way);
    void (*fill)(uint64_t *order, uint32_t ways, unsigned way);  /* a line is brought to WAY; NULL: no effect */
    void (*empty)(uint64_t *order, uint32_t ways, unsigned way); /* WAY's line is invalidated; NULL: no effect */
    /* The way of those in AMONG, a bit mask of some of WAYS, all full, to fill next. The fill follows. *RANDOM: state
     * of the cache's random generator. */
    unsigned (*victim)(uint64_t *order, uint32_t ways, uint32_t among, uint32_t *random);
    /* Whether ORDER, read from a checkpoint, is one that the operations can continue with. NULL: only zero is. */
    bool (*is_valid)(const uint64_t *order, uint32_t ways);
    /* Place of WAY in the sequence of victims, 0 for the last of them; empty ways have the highest. NULL: there is no
     * sequence. */
    unsigned (*rank)(const uint64_t *order, uint32_t ways, unsigned way);
};

/* The policy called NAME; it exists. */
const struct replacement *replacement_named(const char *name);
/* True LRU. */
const struct replacement *replacement_lru(void);
/* "|lru|random|...": from [1] on the choices of cache.X.replacement; and its help. */
extern const char replacement_choices[], replacement_help[];
/* Number of policies, and policy I of them. */
unsigned replacement_count(void);
const struct replacement *replacement_at(unsigned i);

/* Up to LRU_SHORT_WAYS ways, the list of ways by recency is one word: four bits each, from the most recently used (bits
 * 0-3) to the least recently used. */
enum { LRU_SHORT_WAYS = 16 };
#define LRU_EACH_WAY UINT64_C(0x1111111111111111)

/* Bit position of WAY's field in a list. */
static inline unsigned lru_position(uint64_t order, unsigned way)
{
    uint64_t x = order ^ LRU_EACH_WAY * way; /* the field of WAY becomes 0, the lowest one that does */
    return (unsigned)__builtin_ctzll((x - LRU_EACH_WAY) & ~x & LRU_EACH_WAY << 3) & ~3u;
}

static inline uint64_t lru_touch(uint64_t order, unsigned way)
{
    uint64_t newer = (UINT64_C(1) << lru_position(order, way)) - 1;
    return (order & ~(newer << 4 | 0xf)) | (order & newer) << 4 | way;
}

/* WAY becomes empty: it moves to the LRU position, so that it is filled next. */
static inline uint64_t lru_empty(uint64_t order, unsigned way, uint32_t ways)
{
    uint64_t newer = (UINT64_C(1) << lru_position(order, way)) - 1;
    return (order & newer) | (order >> 4 & ~newer) | (uint64_t)way << 4 * (ways - 1);
}

static inline unsigned lru_victim(uint64_t order, uint32_t ways)
{
    return (unsigned)(order >> 4 * (ways - 1)) & 0xf;
}

#endif
