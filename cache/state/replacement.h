/*
 * Replacement policies: true LRU, tree pseudo-LRU, random. Private to cache/.
 *
 * The replacement order of a set is one word. LRU: the way numbers, four bits each, from the most recently
 * used (bits 0-3) to the least recently used. Tree: bit N is node N (the root is 1, its children 2 and 3, ...), 0 if
 * the next victim is in the left half. Random: unused; the generator belongs to the cache.
 */
#ifndef SIMOS_CACHE_STATE_REPLACEMENT_H
#define SIMOS_CACHE_STATE_REPLACEMENT_H

#include "src/base/types.h"

enum replacement { REPLACE_LRU, REPLACE_RANDOM, REPLACE_TREE };

#define EACH_WAY UINT64_C(0x1111111111111111)

/* The initial order of a set. */
static inline uint64_t replacement_initial(enum replacement policy, uint32_t ways)
{
    const uint64_t in_order = UINT64_C(0xfedcba9876543210);
    if (policy != REPLACE_LRU)
        return 0;
    return ways == 16 ? in_order : in_order & ((UINT64_C(1) << 4 * ways) - 1);
}

/* Bit position of WAY's field in an LRU order. */
static inline unsigned lru_position(uint64_t order, unsigned way)
{
    uint64_t x = order ^ EACH_WAY * way; /* the field of WAY becomes 0, the lowest one that does */
    return (unsigned)__builtin_ctzll((x - EACH_WAY) & ~x & EACH_WAY << 3) & ~3u;
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

static inline uint64_t tree_touch(uint64_t order, unsigned way, uint32_t ways)
{
    unsigned node = 1;
    for (uint32_t half = ways >> 1; half; half >>= 1) {
        bool right = way & half;
        order = right ? order & ~(UINT64_C(1) << node) : order | UINT64_C(1) << node;
        node = 2 * node + right;
    }
    return order;
}

static inline unsigned tree_victim(uint64_t order, uint32_t ways)
{
    unsigned node = 1;
    while (node < ways)
        node = 2 * node + (unsigned)(order >> node & 1);
    return node - ways;
}

/* Advances the generator at *STATE, which is not 0, and returns its value: Marsaglia's xorshift. */
static inline uint32_t random_step(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

#endif
