/*
 * Random numbers for the random streams: xorshift64* (Vigna 2016), the same on every host.
 */
#ifndef SIMOS_TESTS_DIFF_RANDOM_H
#define SIMOS_TESTS_DIFF_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state; /* not 0 */
};

static inline uint32_t random_word(struct random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (uint32_t)((r->state * 0x2545f4914f6cdd1du) >> 32);
}

/* 0..LIMIT-1 */
static inline uint32_t random_below(struct random *r, uint32_t limit)
{
    return random_word(r) % limit;
}

static inline bool random_one_in(struct random *r, uint32_t n)
{
    return random_below(r, n) == 0;
}

/* Neighbouring seeds give unrelated sequences. */
static inline struct random random_seeded(uint64_t seed)
{
    struct random r = {.state = (seed + 1) * 0x9e3779b97f4a7c15u};
    r.state ^= r.state >> 31;
    r.state |= 1;
    for (int i = 0; i < 8; i++)
        random_word(&r);
    return r;
}

#endif
