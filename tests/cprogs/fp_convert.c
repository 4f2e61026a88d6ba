/*
 * Conversions: between the two floating types, from and to integers of 32 and 64 bits (those of 64 bits are library
 * code), in every rounding mode. Values outside the integer's range are left to insn_fp.c: C leaves them open.
 */
#include "corpus.h"
#include "fp.h"

static const int64_t integers[] = {
    0,
    1,
    -1,
    2,
    16777215,
    16777216,
    16777217,
    16777218,
    16777219,
    33554433,
    -16777217,
    -16777219,
    0x7fffffff,
    -0x7fffffff,
    0x7fffff80,
    0x7fffffbf,
    0x7fffffc0,
    123456789,
    -987654321,
    0x12345678,
    0x40000001,
    1ll << 53,
    (1ll << 53) + 1,
    (1ll << 53) + 3,
    -(1ll << 53) - 1,
    0x7fffffffffffffff,
    0x7ffffffffffffdff,
    0x7ffffffffffffe00,
    0x7fffff4000000001,
    0x7fffff4000000000,
    0x123456789abcdef,
    -0x123456789abcdef,
    INT64_MIN,
    INT64_MIN + 1,
};
#define INTEGERS (sizeof integers / sizeof integers[0])

/* Values near ties and near the edges of int32_t and int64_t, all inside. */
static const double reals[] = {
    0.0,
    -0.0,
    0.25,
    0.5,
    0.75,
    1.0,
    1.25,
    1.5,
    1.75,
    2.5,
    3.5,
    -0.25,
    -0.5,
    -0.75,
    -1.5,
    -2.5,
    -3.5,
    1e-300,
    -1e-40,
    0x1p-149,
    8388607.5,
    8388608.5,
    -8388607.5,
    16777215.0,
    2147483646.0,
    2147483000.5,
    -2147483648.0,
    -2147483000.5,
    1e6,
    123456.789,
    -98765.4321,
    4.9e-324,
    0.49999999999999994,
    -0.49999999999999994,
};
#define REALS (sizeof reals / sizeof reals[0])

static const double wide_reals[] = {
    4503599627370495.5,
    4503599627370496.5,
    -4503599627370495.5,
    9007199254740993.0,
    9.2233720368547748e18,
    -9.2233720368547758e18,
    1e18,
    -1e18,
    4294967295.5,
    4294967296.5,
    -4294967296.5,
    2147483648.5,
    -2147483648.5,
    1e15,
    123456789012.345,
};
#define WIDE_REALS (sizeof wide_reals / sizeof wide_reals[0])

/* A case in one rounding mode: `body` runs for each index below `count`, after the flags were cleared. */
#define SWEEP(name, mode, direction, count, declarations, expression, bits)                                            \
    CASE(fp_##name##_##mode)                                                                                           \
    {                                                                                                                  \
        struct corpus_sum results = CORPUS_SUM_INIT, flags = CORPUS_SUM_INIT;                                          \
        fesetround(direction);                                                                                         \
        for (size_t i = 0; i < (count); i++) {                                                                         \
            declarations;                                                                                              \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            r = (expression);                                                                                          \
            SUM(&flags, fp_flags(), "flags of %zu", i);                                                                \
            SUM(&results, bits(r), "result of %zu", i);                                                                \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
        corpus_sum_print("results", &results);                                                                         \
        corpus_sum_print("flags", &flags);                                                                             \
    }

/* As SWEEP, for library code whose inexact flag is its own business: results only. */
#define SWEEP_RESULTS(name, mode, direction, count, declarations, expression, bits)                                    \
    CASE(fp_##name##_##mode)                                                                                           \
    {                                                                                                                  \
        struct corpus_sum results = CORPUS_SUM_INIT;                                                                   \
        fesetround(direction);                                                                                         \
        for (size_t i = 0; i < (count); i++) {                                                                         \
            declarations;                                                                                              \
            r = (expression);                                                                                          \
            SUM(&results, bits(r), "result of %zu", i);                                                                \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
        corpus_sum_print("results", &results);                                                                         \
    }

#define AS_IS(value) (value)

#define NARROW_VALUE(i)                                                                                                \
    ((i) < FP_VALUES       ? fp_double(fp_values_f64[i])                                                               \
     : (i) < 2 * FP_VALUES ? (double)fp_float(fp_values_f32[(i)-FP_VALUES]) * (1 + 0x1p-24)                            \
                           : (double)fp_float(fp_values_f32[(i)-2 * FP_VALUES]) * (1 + 0x1.8p-25))

#define ONE_MODE(mode, direction)                                                                                      \
    SWEEP(narrow, mode, direction, 3 * FP_VALUES, volatile double a = NARROW_VALUE(i);                                 \
          volatile float r, (float)a, fp_bits_f32)                                                                     \
    SWEEP(widen, mode, direction, FP_VALUES, volatile float a = fp_float(fp_values_f32[i]);                            \
          volatile double r, (double)a, fp_bits_f64)                                                                   \
    SWEEP(f32_from_i32, mode, direction, INTEGERS, volatile int32_t a = (int32_t)integers[i];                          \
          volatile float r, (float)a, fp_bits_f32)                                                                     \
    SWEEP(f64_from_i32, mode, direction, INTEGERS, volatile int32_t a = (int32_t)integers[i];                          \
          volatile double r, (double)a, fp_bits_f64)                                                                   \
    SWEEP_RESULTS(f64_from_u32, mode, direction, INTEGERS, volatile uint32_t a = (uint32_t)integers[i];                \
                  volatile double r, (double)a, fp_bits_f64)                                                           \
    SWEEP_RESULTS(f32_from_i64, mode, direction, INTEGERS, volatile int64_t a = integers[i];                           \
                  volatile float r, (float)a, fp_bits_f32)                                                             \
    SWEEP_RESULTS(f64_from_i64, mode, direction, INTEGERS, volatile int64_t a = integers[i];                           \
                  volatile double r, (double)a, fp_bits_f64)                                                           \
    SWEEP_RESULTS(i32_from_f64, mode, direction, REALS, volatile double a = reals[i];                                  \
                  volatile int32_t r, (int32_t)a, AS_IS)                                                               \
    SWEEP_RESULTS(i32_from_f32, mode, direction, REALS, volatile float a = (float)(reals[i] / 2);                      \
                  volatile int32_t r, (int32_t)a, AS_IS)                                                               \
    SWEEP_RESULTS(i64_from_f64, mode, direction, REALS + WIDE_REALS,                                                   \
                  volatile double a = i < REALS ? reals[i] : wide_reals[i - REALS];                                    \
                  volatile int64_t r, (int64_t)a, AS_IS)                                                               \
    SWEEP_RESULTS(rint, mode, direction, REALS + WIDE_REALS,                                                           \
                  volatile double a = i < REALS ? reals[i] : wide_reals[i - REALS];                                    \
                  volatile double r, rint(a) + nearbyint(a), fp_bits_f64)                                              \
    SWEEP_RESULTS(rintf, mode, direction, REALS, volatile float a = (float)reals[i];                                   \
                  volatile float r, rintf(a) + nearbyintf(a), fp_bits_f32)                                             \
    SWEEP_RESULTS(lrint, mode, direction, REALS, volatile double a = reals[i] / 2;                                     \
                  volatile int64_t r, (int64_t)lrint(a) * 3 + lrintf((float)a), AS_IS)                                 \
    SWEEP_RESULTS(llrint, mode, direction, REALS + WIDE_REALS,                                                         \
                  volatile double a = i < REALS ? reals[i] : wide_reals[i - REALS];                                    \
                  volatile int64_t r, llrint(a), AS_IS)                                                                \
    SWEEP_RESULTS(integral, mode, direction, REALS + WIDE_REALS,                                                       \
                  volatile double a = i < REALS ? reals[i] : wide_reals[i - REALS];                                    \
                  volatile int64_t r,                                                                                  \
                  (int64_t)floor(a) ^ (int64_t)ceil(a) << 1 ^ (int64_t)trunc(a) << 2 ^ (int64_t)round(a) << 3 ^        \
                      (int64_t)llround(a / 4) << 4,                                                                    \
                  AS_IS)

FP_EACH_MODE(ONE_MODE)

CASE(fp_u32_from_f64)
{
    for (double x = 0.5; x < 4294967296.0; x = x * 3.7 + 0.3)
        printf("%u %u\n", (uint32_t)OPAQUE(x), (uint32_t)OPAQUE((float)x / 2));
}

CASE(fp_u64_from_f64)
{
    for (double x = 0.5; x < 18446744073709551616.0; x = x * 13.7 + 0.3)
        printf("%llu %llu\n", (unsigned long long)OPAQUE(x), (unsigned long long)OPAQUE((float)x / 2));
}

CASE(fp_f64_from_u64)
{
    for (size_t i = 0; i < INTEGERS; i++)
        printf("%a %a\n", (double)(uint64_t)OPAQUE((int64_t)integers[i]),
               (double)(float)(uint64_t)OPAQUE((int64_t)integers[i]));
}
