/*
 * The common cases of arithmetic on the host's FPU, in plain C. Preconditions: FCSR selects round to nearest (the
 * host's mode) without flushing, and Underflow is not enabled; operands and result are well inside the normal range
 * (for a sum, also zero). Then the host's result is the unit's result, and the only possible exception is Inexact,
 * which is detected by exact arithmetic instead of the host's flags (reading and clearing MXCSR costs more than the
 * operation). fpu_soft.c handles everything else.
 *
 * bool fpu_fast_NAME_FMT(a, b, &result, &cause): false if a precondition fails; the caller must then ignore result and
 * cause.
 *
 * Required of the host: IEEE formats, round to nearest, no excess precision (FLT_EVAL_METHOD 0), no -ffast-math.
 * Otherwise FPU_FAST is 0 and fpu_soft.c computes everything.
 */
#ifndef SIMOS_CPU_FP_FPU_FAST_H
#define SIMOS_CPU_FP_FPU_FAST_H

#include "cpu/fp/fpu.h"
#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD == 0 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53 && !defined(__FAST_MATH__)
#define FPU_FAST 1
#else
#define FPU_FAST 0
#endif

/* Does FCSR allow the fast cases? */
static inline bool fpu_fast_mode(uint32_t fcsr)
{
    return FPU_FAST && (fcsr & (FCSR_FS | FPU_UNDERFLOW << FCSR_ENABLES_SHIFT | FCSR_RM)) == 0;
}

/* Conversion between bit patterns and the host's types. */
static inline float fpu_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t fpu_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double fpu_double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t fpu_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

__extension__ typedef unsigned __int128 fpu_uint128;

enum { SINGLE_EXPONENT_MAX = 0xff, DOUBLE_EXPONENT_MAX = 0x7ff, DOUBLE_BIAS = 1023 };

static inline unsigned fpu_exponent_s(uint32_t a)
{
    return a >> 23 & SINGLE_EXPONENT_MAX;
}
static inline unsigned fpu_exponent_d(uint64_t a)
{
    return (unsigned)(a >> 52) & DOUBLE_EXPONENT_MAX;
}
static inline uint64_t fpu_significand_d(uint64_t a)
{
    return (a & 0xfffffffffffff) | (uint64_t)1 << 52;
}
/* Is EXPONENT (a biased exponent field) normal, and at least one away from the smallest and largest normal exponent? */
static inline bool fpu_inside(unsigned exponent, unsigned max)
{
    return exponent - 2 < max - 4;
}

/* Sum: the rounding error of a sum is representable in the same format, and six operations compute it (Knuth, TAOCP
 * vol. 2, 4.2.2 theorem B) if none of them overflows; a sum cannot underflow inexactly. */
/* Zero, or a normal number at least a factor of four below infinity. */
#define FPU_FAST_TERM(fmt, a, exponent_max) (fpu_exponent_##fmt(a) - 1 < (exponent_max)-3 || (a) << 1 == 0)
#define FPU_FAST_SUM(fmt, type, bits, of_bits, to_bits, exponent_max, sign)                                            \
    static inline bool fpu_fast_add_##fmt(bits a, bits b, bits *result, unsigned *cause)                               \
    {                                                                                                                  \
        if (!FPU_FAST_TERM(fmt, a, exponent_max) || !FPU_FAST_TERM(fmt, b, exponent_max))                              \
            return false;                                                                                              \
        type x = of_bits(a), y = of_bits(b), sum = x + y, y_part = sum - x;                                            \
        type error = (x - (sum - y_part)) + (y - y_part);                                                              \
        if (!FPU_FAST_TERM(fmt, to_bits(sum), exponent_max))                                                           \
            return false;                                                                                              \
        if (error != 0)                                                                                                \
            *cause |= FPU_INEXACT;                                                                                     \
        *result = to_bits(sum);                                                                                        \
        return true;                                                                                                   \
    }                                                                                                                  \
    static inline bool fpu_fast_sub_##fmt(bits a, bits b, bits *result, unsigned *cause)                               \
    {                                                                                                                  \
        return fpu_fast_add_##fmt(a, b ^ (sign), result, cause);                                                       \
    }
FPU_FAST_SUM(s, float, uint32_t, fpu_float_of, fpu_bits_of_float, SINGLE_EXPONENT_MAX, 0x80000000u)
FPU_FAST_SUM(d, double, uint64_t, fpu_double_of, fpu_bits_of_double, DOUBLE_EXPONENT_MAX, 0x8000000000000000u)
#undef FPU_FAST_SUM
#undef FPU_FAST_TERM

/* Singles: the product of two is exact in double, so products, quotients and square roots are checked in double. */
static inline bool fpu_fast_single(float rounded, bool exact, uint32_t *result, unsigned *cause)
{
    *result = fpu_bits_of_float(rounded);
    if (!fpu_inside(fpu_exponent_s(*result), SINGLE_EXPONENT_MAX))
        return false;
    if (!exact)
        *cause |= FPU_INEXACT;
    return true;
}
static inline bool fpu_fast_mul_s(uint32_t a, uint32_t b, uint32_t *result, unsigned *cause)
{
    if (fpu_exponent_s(a) == 0 || fpu_exponent_s(b) == 0)
        return false;
    double product = (double)fpu_float_of(a) * (double)fpu_float_of(b);
    float rounded = (float)product;
    return fpu_fast_single(rounded, (double)rounded == product, result, cause);
}
static inline bool fpu_fast_div_s(uint32_t a, uint32_t b, uint32_t *result, unsigned *cause)
{
    float x = fpu_float_of(a), y = fpu_float_of(b);
    if (!fpu_inside(fpu_exponent_s(b), SINGLE_EXPONENT_MAX) || fpu_exponent_s(a) == 0)
        return false;
    float rounded = x / y;
    return fpu_fast_single(rounded, (double)rounded * (double)y == (double)x, result, cause);
}
static inline bool fpu_fast_sqrt_s(uint32_t a, uint32_t b, uint32_t *result, unsigned *cause)
{
    (void)a;
    if (!fpu_inside(b >> 23, SINGLE_EXPONENT_MAX)) /* also excludes negative operands */
        return false;
    float x = fpu_float_of(b), rounded = __builtin_sqrtf(x);
    return fpu_fast_single(rounded, (double)rounded * (double)rounded == (double)x, result, cause);
}

/* Doubles: significands as integers, whose exact product has 105 or 106 bits. */
static inline bool fpu_fast_mul_d(uint64_t a, uint64_t b, uint64_t *result, unsigned *cause)
{
    unsigned x = fpu_exponent_d(a), y = fpu_exponent_d(b);
    /* Normal operands, and a biased exponent of the result of at least 2 and at most 0x7fd before carries. */
    if (x - 1 >= DOUBLE_EXPONENT_MAX - 1 || y - 1 >= DOUBLE_EXPONENT_MAX - 1 ||
        !fpu_inside(x + y - DOUBLE_BIAS, DOUBLE_EXPONENT_MAX - 1))
        return false;
    fpu_uint128 product = (fpu_uint128)fpu_significand_d(a) * fpu_significand_d(b);
    unsigned lost = 52 + (unsigned)(product >> 105);
    if ((uint64_t)product & (((uint64_t)1 << lost) - 1))
        *cause |= FPU_INEXACT;
    *result = fpu_bits_of_double(fpu_double_of(a) * fpu_double_of(b));
    return true;
}
/* Is ROUND * FACTOR equal to WHOLE up to a power of two? */
static inline bool fpu_exact_product(uint64_t round, uint64_t factor, uint64_t whole)
{
    fpu_uint128 product = (fpu_uint128)fpu_significand_d(round) * fpu_significand_d(factor);
    return product == (fpu_uint128)fpu_significand_d(whole) << (52 + (unsigned)(product >> 105));
}
static inline bool fpu_fast_div_d(uint64_t a, uint64_t b, uint64_t *result, unsigned *cause)
{
    if (fpu_exponent_d(a) - 1 >= DOUBLE_EXPONENT_MAX - 1 || fpu_exponent_d(b) - 1 >= DOUBLE_EXPONENT_MAX - 1)
        return false;
    uint64_t rounded = fpu_bits_of_double(fpu_double_of(a) / fpu_double_of(b));
    if (!fpu_inside(fpu_exponent_d(rounded), DOUBLE_EXPONENT_MAX))
        return false;
    if (!fpu_exact_product(rounded, b, a))
        *cause |= FPU_INEXACT;
    *result = rounded;
    return true;
}
static inline bool fpu_fast_sqrt_d(uint64_t a, uint64_t b, uint64_t *result, unsigned *cause)
{
    (void)a;
    if ((b >> 52) - 1 >= DOUBLE_EXPONENT_MAX - 1) /* also excludes negative operands */
        return false;
    *result = fpu_bits_of_double(__builtin_sqrt(fpu_double_of(b)));
    if (!fpu_exact_product(*result, *result, b))
        *cause |= FPU_INEXACT;
    return true;
}

/* Conversions. */
static inline bool fpu_fast_cvt_s_d(uint64_t a, uint32_t *result, unsigned *cause)
{
    float rounded = (float)fpu_double_of(a);
    return fpu_fast_single(rounded, (double)rounded == fpu_double_of(a), result, cause);
}
static inline bool fpu_fast_cvt_d_s(uint32_t a, uint64_t *result)
{
    *result = fpu_bits_of_double((double)fpu_float_of(a));
    return fpu_exponent_s(a) - 1 < SINGLE_EXPONENT_MAX - 1 || a << 1 == 0;
}
static inline uint32_t fpu_fast_cvt_s_w(int32_t a, unsigned *cause)
{
    float rounded = (float)a;
    if ((double)rounded != (double)a)
        *cause |= FPU_INEXACT;
    return fpu_bits_of_float(rounded);
}
/* Truncation, in any rounding mode: C's conversion truncates. */
static inline bool fpu_fast_trunc_w(double a, uint32_t *result, unsigned *cause)
{
    if (!(a > -2147483649.0 && a < 2147483648.0))
        return false;
    int32_t truncated = (int32_t)a;
    if ((double)truncated != a)
        *cause |= FPU_INEXACT;
    *result = (uint32_t)truncated;
    return true;
}

#endif
