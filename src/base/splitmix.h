/*
 * Splitmix64, a pseudo-random generator of 64 bits of state (Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014): the same seed gives the same sequence on every host.
 */
#ifndef SIMOS_BASE_SPLITMIX_H
#define SIMOS_BASE_SPLITMIX_H

#include "src/base/types.h"

/* Advance the generator at *STATE and return its value. The initial state is the seed; any value is one. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A number below LIMIT, which is not 0, each equally probable up to LIMIT / 2^32. */
static inline uint32_t splitmix_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((splitmix_next(state) >> 32) * limit >> 32);
}

#endif
