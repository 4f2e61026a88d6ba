/*
 * The mathematical library, one case a function and a type: results printed to the last bit. libm is library code on
 * top of the processor's basic operations; a wrong rounding anywhere shows.
 */
#define _GNU_SOURCE
#include "corpus.h"
#include "fp.h"

#include <stdlib.h>

static const double arguments[] = {
    0.0,  -0.0,  1e-300, 1e-9, 0.1,   0.25, 0.4999, 0.5,   0.75,     0.9999,    1.0,   1.0001,
    1.5,  2.0,   2.5,    M_PI, 3.75,  5.0,  10.0,   33.3,  88.0,     100.5,     709.0, 1e5,
    1e15, 1e300, -0.3,   -1.0, -2.75, -7.5, -50.0,  -1e10, INFINITY, -INFINITY,
};
#define ARGUMENTS (sizeof arguments / sizeof arguments[0])

#define ONE_ARGUMENT(name)                                                                                             \
    CASE(libm_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum wide = CORPUS_SUM_INIT, narrow = CORPUS_SUM_INIT;                                            \
        for (size_t i = 0; i < ARGUMENTS; i++) {                                                                       \
            volatile double x = arguments[i];                                                                          \
            double r = name(x);                                                                                        \
            float f = name##f((float)x);                                                                               \
            if (i % 4 == 1 && !isnan(r) && !isnan(f))                                                                  \
                printf(#name "(%g) = %a %a\n", x, r, (double)f);                                                       \
            SUM(&wide, fp_bits_f64(r), "f64 of %g", x);                                                                \
            SUM(&narrow, fp_bits_f32(f), "f32 of %g", x);                                                              \
        }                                                                                                              \
        corpus_sum_print("double", &wide);                                                                             \
        corpus_sum_print("float", &narrow);                                                                            \
    }

#define TWO_ARGUMENTS(name)                                                                                            \
    CASE(libm_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum wide = CORPUS_SUM_INIT, narrow = CORPUS_SUM_INIT;                                            \
        for (size_t i = 0; i < ARGUMENTS; i++) {                                                                       \
            for (size_t j = 0; j < ARGUMENTS; j += 3) {                                                                \
                volatile double x = arguments[i], y = arguments[j];                                                    \
                double r = name(x, y);                                                                                 \
                float f = name##f((float)x, (float)y);                                                                 \
                if (i % 5 == 1 && j % 4 == 1 && !isnan(r) && !isnan(f))                                                \
                    printf(#name "(%g, %g) = %a %a\n", x, y, r, (double)f);                                            \
                SUM(&wide, fp_bits_f64(r), "f64 of %g, %g", x, y);                                                     \
                SUM(&narrow, fp_bits_f32(f), "f32 of %g, %g", x, y);                                                   \
            }                                                                                                          \
        }                                                                                                              \
        corpus_sum_print("double", &wide);                                                                             \
        corpus_sum_print("float", &narrow);                                                                            \
    }

ONE_ARGUMENT(sin)
ONE_ARGUMENT(cos)
ONE_ARGUMENT(tan)
ONE_ARGUMENT(asin)
ONE_ARGUMENT(acos)
ONE_ARGUMENT(atan)
ONE_ARGUMENT(sinh)
ONE_ARGUMENT(cosh)
ONE_ARGUMENT(tanh)
ONE_ARGUMENT(asinh)
ONE_ARGUMENT(acosh)
ONE_ARGUMENT(atanh)
ONE_ARGUMENT(exp)
ONE_ARGUMENT(exp2)
ONE_ARGUMENT(exp10)
ONE_ARGUMENT(expm1)
ONE_ARGUMENT(log)
ONE_ARGUMENT(log2)
ONE_ARGUMENT(log10)
ONE_ARGUMENT(log1p)
ONE_ARGUMENT(logb)
ONE_ARGUMENT(cbrt)
ONE_ARGUMENT(sqrt)
ONE_ARGUMENT(erf)
ONE_ARGUMENT(erfc)
ONE_ARGUMENT(tgamma)
ONE_ARGUMENT(lgamma)
ONE_ARGUMENT(j0)
ONE_ARGUMENT(j1)
ONE_ARGUMENT(floor)
ONE_ARGUMENT(ceil)
ONE_ARGUMENT(trunc)
ONE_ARGUMENT(round)
ONE_ARGUMENT(roundeven)
ONE_ARGUMENT(fabs)
TWO_ARGUMENTS(pow)
TWO_ARGUMENTS(atan2)
TWO_ARGUMENTS(hypot)
TWO_ARGUMENTS(fmod)
TWO_ARGUMENTS(remainder)
TWO_ARGUMENTS(fmin)
TWO_ARGUMENTS(fmax)
TWO_ARGUMENTS(fdim)
TWO_ARGUMENTS(copysign)
TWO_ARGUMENTS(nextafter)

CASE(libm_fma)
{
    struct corpus_sum wide = CORPUS_SUM_INIT, narrow = CORPUS_SUM_INIT;
    for (size_t i = 0; i < FP_VALUES; i += 2) {
        for (size_t j = 0; j < FP_VALUES; j += 3) {
            for (size_t k = 0; k < FP_VALUES; k += 4) {
                volatile double a = fp_double(fp_values_f64[i]), b = fp_double(fp_values_f64[j]);
                volatile float c = fp_float(fp_values_f32[i]), d = fp_float(fp_values_f32[j]);
                SUM(&wide, fp_bits_f64(fma(a, b, fp_double(fp_values_f64[k]))), "f64 %zu %zu %zu", i, j, k);
                SUM(&narrow, fp_bits_f32(fmaf(c, d, fp_float(fp_values_f32[k]))), "f32 %zu %zu %zu", i, j, k);
            }
        }
    }
    corpus_sum_print("double", &wide);
    corpus_sum_print("float", &narrow);
}

CASE(libm_frexp_ldexp)
{
    for (size_t i = 0; i < FP_VALUES - 3; i++) {
        int exponent = 0;
        double x = fp_double(fp_values_f64[i]), m = frexp(x, &exponent);
        printf("%a %d %a %a\n", m, exponent, ldexp(m, exponent), ldexp(x, i % 2 ? 60 : -60));
    }
}

CASE(libm_modf)
{
    for (size_t i = 0; i < ARGUMENTS; i++) {
        double whole, part = modf(OPAQUE((double)arguments[i]), &whole);
        float wholef, partf = modff((float)arguments[i], &wholef);
        printf("%a %a %a %a\n", whole, part, (double)wholef, (double)partf);
    }
}

CASE(libm_remquo)
{
    for (size_t i = 2; i < ARGUMENTS - 2; i++) {
        int quotient = 0;
        double r = remquo(OPAQUE((double)arguments[i]), 0.7, &quotient);
        printf("%a %d\n", r, quotient & 7);
    }
}

CASE(libm_ilogb_scalbn)
{
    for (size_t i = 2; i < FP_VALUES - 3; i++) {
        double x = fp_double(fp_values_f64[i]);
        float f = fp_float(fp_values_f32[i]);
        printf("%d %d %a %a\n", ilogb(x), ilogbf(f), scalbn(x, -30), (double)scalbnf(f, 20));
    }
}

CASE(libm_classify)
{
    for (size_t i = 0; i < FP_VALUES; i++) {
        double x = fp_double(fp_values_f64[i]);
        float f = fp_float(fp_values_f32[i]);
        printf("%d %d %d %d %d", fpclassify(x), !!isnan(x), !!isinf(x), !!isfinite(x), !!isnormal(x));
        printf(" %d %d %d %d\n", fpclassify(f), !!isnan(f), !!isinf(f), !!signbit(f));
    }
}

CASE(libm_sincos)
{
    for (double x = -8; x < 8; x += 0.77) {
        double s, c;
        sincos(OPAQUE(x), &s, &c);
        printf("%a %a %d\n", s, c, fabs(s * s + c * c - 1) < 1e-15);
    }
}
