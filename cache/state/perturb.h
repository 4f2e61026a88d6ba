/*
 * Perturbation of memory responses: each takes up to a limit longer, by an amount drawn from a generator that belongs
 * to the machine's state, so that repetitions of a run that differ in the seed alone show how much of a result is
 * chance (Alameldeen and Wood, "Variability in Architectural Simulations of Multi-threaded Workloads", HPCA 2003,
 * section 3.3).
 */
#ifndef SIMOS_CACHE_PERTURB_H
#define SIMOS_CACHE_PERTURB_H

#include "src/base/types.h"

struct perturb {
    cycles limit;         /* longest delay; 0: responses are not perturbed */
    uint64_t seed, state; /* of the generator */
};

/* The generator begins with SEED. Responses take 0 to LIMIT cycles longer, each amount equally probable. */
static inline struct perturb perturb_begin(uint64_t seed, cycles limit)
{
    return (struct perturb){limit, seed, seed};
}

/* The next delay in cycles; LIMIT is not 0, and below 2^32. Splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static inline cycles perturb_draw(struct perturb *perturb)
{
    uint64_t x = perturb->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (x >> 32) * (perturb->limit + 1) >> 32;
}

#endif
