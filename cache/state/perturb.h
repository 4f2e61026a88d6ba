/*
 * Perturbation of memory responses: each takes up to a limit longer, by an amount drawn from a generator that belongs
 * to the machine's state, so that repetitions of a run that differ in the seed alone show how much of a result is
 * chance (Alameldeen and Wood, "Variability in Architectural Simulations of Multi-threaded Workloads", HPCA 2003,
 * section 3.3).
 */
#ifndef SIMOS_CACHE_STATE_PERTURB_H
#define SIMOS_CACHE_STATE_PERTURB_H

#include "src/base/splitmix.h"

struct perturb {
    cycles limit;         /* longest delay; 0: responses are not perturbed */
    uint64_t seed, state; /* of the generator */
};

/* The generator begins with SEED. Responses take 0 to LIMIT cycles longer, each amount equally probable. */
static inline struct perturb perturb_begin(uint64_t seed, cycles limit)
{
    return (struct perturb){limit, seed, seed};
}

/* The next delay in cycles; LIMIT is not 0, and below 2^32 - 1. */
static inline cycles perturb_draw(struct perturb *perturb)
{
    return splitmix_below(&perturb->state, (uint32_t)perturb->limit + 1);
}

#endif
