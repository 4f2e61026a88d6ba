/*
 * Floating-point arithmetic: one case a type, an operation and a rounding mode, over all pairs of special operands,
 * results and flags both.
 */
#include "corpus.h"
#include "fp.h"

/* The operands and the result are volatile so that the operation stays between clearing and reading the flags. */
#define BINARY(op, type, tag, mode, direction, expression)                                                             \
    CASE(fp_##op##_##tag##_##mode)                                                                                     \
    {                                                                                                                  \
        struct corpus_sum results = CORPUS_SUM_INIT, flags = CORPUS_SUM_INIT;                                          \
        fesetround(direction);                                                                                         \
        for (size_t i = 0; i < FP_VALUES; i++) {                                                                       \
            for (size_t j = 0; j < FP_VALUES; j++) {                                                                   \
                volatile type a = fp_##type(fp_values_##tag[i]), b = fp_##type(fp_values_##tag[j]), r;                 \
                feclearexcept(FE_ALL_EXCEPT);                                                                          \
                r = (expression);                                                                                      \
                SUM(&flags, fp_flags(), "flags of %zu, %zu", i, j);                                                    \
                SUM(&results, fp_bits_##tag(r), "result of %zu, %zu", i, j);                                           \
            }                                                                                                          \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
        corpus_sum_print("results", &results);                                                                         \
        corpus_sum_print("flags", &flags);                                                                             \
    }

#define UNARY(op, type, tag, mode, direction, expression)                                                              \
    CASE(fp_##op##_##tag##_##mode)                                                                                     \
    {                                                                                                                  \
        struct corpus_sum results = CORPUS_SUM_INIT, flags = CORPUS_SUM_INIT;                                          \
        fesetround(direction);                                                                                         \
        uint32_t state = 12345;                                                                                        \
        for (size_t i = 0; i < FP_VALUES + 200; i++) {                                                                 \
            volatile type a, r;                                                                                        \
            a = i < FP_VALUES ? fp_##type(fp_values_##tag[i]) : (type)(corpus_random(&state) >> i % 24);               \
            feclearexcept(FE_ALL_EXCEPT);                                                                              \
            r = (expression);                                                                                          \
            SUM(&flags, fp_flags(), "flags of %zu", i);                                                                \
            SUM(&results, fp_bits_##tag(r), "result of %zu", i);                                                       \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
        corpus_sum_print("results", &results);                                                                         \
        corpus_sum_print("flags", &flags);                                                                             \
    }

#define ONE_MODE(mode, direction)                                                                                      \
    BINARY(add, float, f32, mode, direction, a + b)                                                                    \
    BINARY(sub, float, f32, mode, direction, a - b)                                                                    \
    BINARY(mul, float, f32, mode, direction, a *b)                                                                     \
    BINARY(div, float, f32, mode, direction, a / b)                                                                    \
    UNARY(sqrt, float, f32, mode, direction, sqrtf(a))                                                                 \
    BINARY(add, double, f64, mode, direction, a + b)                                                                   \
    BINARY(sub, double, f64, mode, direction, a - b)                                                                   \
    BINARY(mul, double, f64, mode, direction, a *b)                                                                    \
    BINARY(div, double, f64, mode, direction, a / b)                                                                   \
    UNARY(sqrt, double, f64, mode, direction, sqrt(a))

FP_EACH_MODE(ONE_MODE)

/* Random operands, whose results nearly always round: chains that drift apart if one rounding is wrong. */
#define CHAIN(type, tag, mode, direction)                                                                              \
    CASE(fp_chain_##tag##_##mode)                                                                                      \
    {                                                                                                                  \
        fesetround(direction);                                                                                         \
        uint32_t state = 2463534242u;                                                                                  \
        volatile type x = 1, y = (type)0.5, z = 3;                                                                     \
        for (int i = 0; i < 400; i++) {                                                                                \
            volatile type v = (type)(int32_t)corpus_random(&state);                                                    \
            x = x * (type)0.999 + v / (type)1e9;                                                                       \
            y = y - v * x / (z * z + 1);                                                                               \
            z = (type)sqrt((double)(z * z + 1 / (y * y + 1)));                                                         \
            if (i % 100 == 99)                                                                                         \
                printf("%a %a %a\n", (double)x, (double)y, (double)z);                                                 \
        }                                                                                                              \
        fesetround(FE_TONEAREST);                                                                                      \
    }
#define CHAINS(mode, direction) CHAIN(float, f32, mode, direction) CHAIN(double, f64, mode, direction)
FP_EACH_MODE(CHAINS)
