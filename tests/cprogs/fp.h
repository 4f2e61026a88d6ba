/*
 * Shared by the floating-point families: operands as bit patterns, results and flags as portable numbers.
 *
 * NaNs are one class here, whatever their sign and payload, because the encodings of quiet and signalling NaNs differ
 * between processors; insn_fp_nan.c looks at the payloads.
 */
#ifndef SIMOS_TESTS_CPROGS_FP_H
#define SIMOS_TESTS_CPROGS_FP_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* A quiet NaN, in the legacy MIPS encoding where the quiet bit is 0, or in the usual one. */
#if defined(__mips__) && !defined(__mips_nan2008)
#define FP_QNAN32 0x7fbfffffu
#define FP_QNAN64 0x7ff7ffffffffffffu
#else
#define FP_QNAN32 0x7fc00000u
#define FP_QNAN64 0x7ff8000000000000u
#endif

static inline float fp_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double fp_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bit patterns, with every NaN replaced by one. Integer tests only: they must not raise flags. */
static inline uint64_t fp_bits_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

static inline uint64_t fp_bits_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : bits;
}

/* The five flags as 1 invalid, 2 division by zero, 4 overflow, 8 underflow, 16 inexact. */
static inline unsigned fp_flags(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INVALID ? 1u : 0) | (raised & FE_DIVBYZERO ? 2u : 0) | (raised & FE_OVERFLOW ? 4u : 0) |
           (raised & FE_UNDERFLOW ? 8u : 0) | (raised & FE_INEXACT ? 16u : 0);
}

/* Signed zeros, ones, neighbours of one, powers of two and ties around them, extremes, subnormals, infinities, NaN. */
static const uint32_t fp_values_f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x40400000, 0x3dcccccd,
    0xbeaaaaab, 0x40490fdb, 0x4b7fffff, 0x4b800000, 0xcb800001, 0x33800000, 0x33800001, 0x7f7fffff, 0xff7fffff,
    0x7f000000, 0x00800000, 0x80800000, 0x00800001, 0x007fffff, 0x00400000, 0x80000001, 0x00000001, 0x00000003,
    0x20000000, 0x1f800001, 0x5f7fffff, 0x7f800000, 0xff800000, FP_QNAN32,
};

static const uint64_t fp_values_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
    0x3fefffffffffffff, 0x4000000000000000, 0x4008000000000000, 0x3fb999999999999a, 0xbfd5555555555555,
    0x400921fb54442d18, 0x433fffffffffffff, 0x4340000000000000, 0xc340000000000001, 0x3ca0000000000000,
    0x3ca0000000000001, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000, 0x0010000000000000,
    0x8010000000000000, 0x0010000000000001, 0x000fffffffffffff, 0x0008000000000000, 0x8000000000000001,
    0x0000000000000001, 0x0000000000000003, 0x2000000000000000, 0x1ff0000000000001, 0x5fefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, FP_QNAN64,
};

#define FP_VALUES (sizeof fp_values_f32 / sizeof fp_values_f32[0])
_Static_assert(sizeof fp_values_f64 / sizeof fp_values_f64[0] == FP_VALUES, "one list a type, equally long");

/* All four rounding modes, one expansion each: FP_EACH_MODE(M) becomes M(nearest, FE_TONEAREST) and so on. */
#define FP_EACH_MODE(expand)                                                                                           \
    expand(nearest, FE_TONEAREST) expand(zero, FE_TOWARDZERO) expand(up, FE_UPWARD) expand(down, FE_DOWNWARD)

#endif
