/*
 * Bit operations for which C has no operator, for the engines.
 */
#ifndef SIMOS_CPU_ISA_BITS_H
#define SIMOS_CPU_ISA_BITS_H

#include <stdint.h>

static inline uint32_t rotate_right(uint32_t value, unsigned count)
{
    return value >> (count & 31) | value << (-count & 31);
}

static inline uint32_t count_leading_zeros(uint32_t value)
{
    return value == 0 ? 32 : (uint32_t)__builtin_clz(value);
}

#endif
