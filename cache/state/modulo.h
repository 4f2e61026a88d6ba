/*
 * The remainder of a division by a number that is fixed at run time, without a division: one or two multiplications
 * (Lemire, Kaser, Kurz, "Faster remainder by direct computation", Software: Practice and Experience 49(6), 2019). With
 * the reciprocal in 64 bits it is exact for all dividends and divisors of 32 bits (theorem 1 of the paper). Private to
 * cache/.
 */
#ifndef SIMOS_CACHE_STATE_MODULO_H
#define SIMOS_CACHE_STATE_MODULO_H

#include "src/base/types.h"

__extension__ typedef unsigned __int128 modulo_product;

struct modulo {
    uint32_t divisor;    /* not 0 */
    bool power_of_two;   /* the divisor is one: the remainder is the lowest bits */
    uint64_t reciprocal; /* 2^64 / divisor, rounded up */
};

static inline bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* The smallest N with 1 << N not below VALUE, which is 1 to 2^31. */
static inline uint32_t log2_rounded_up(uint32_t value)
{
    return value == 1 ? 0 : 32 - (uint32_t)__builtin_clz(value - 1);
}

static inline struct modulo modulo_by(uint32_t divisor)
{
    return (struct modulo){
        .divisor = divisor, .power_of_two = is_power_of_two(divisor), .reciprocal = UINT64_MAX / divisor + 1};
}

/* NUMBER modulo the divisor. */
static inline uint32_t modulo_of(const struct modulo *modulo, uint32_t number)
{
    if (modulo->power_of_two)
        return number & (modulo->divisor - 1);
    const uint64_t fraction = modulo->reciprocal * number; /* of the quotient, in units of 2^-64 */
    return (uint32_t)((modulo_product)fraction * modulo->divisor >> 64);
}

#endif
