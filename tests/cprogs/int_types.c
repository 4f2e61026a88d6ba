/*
 * Integer arithmetic, one case a type and an operation. Compiled with -fwrapv: signed overflow wraps. The 64-bit types
 * use register pairs and libgcc's helpers (__divdi3, __umoddi3, __ashldi3 and their kin).
 */
#include "corpus.h"

static const uint64_t values[] = {
    0,
    1,
    2,
    3,
    7,
    10,
    31,
    32,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x12345678,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x0123456789abcdef,
    0x7fffffffffffffff,
    0x8000000000000000,
    -1,
    -2,
    -7,
    -1000,
};
#define VALUES (sizeof values / sizeof values[0])

/* A case that applies `apply` to all pairs of operands (or those for which `allowed` holds) of one type. */
#define SWEEP(tag, type, allowed, result)                                                                              \
    static NOINLINE uint64_t apply_##tag(type a, type b)                                                               \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return (uint64_t)(result);                                                                                     \
    }                                                                                                                  \
    CASE(int_##tag)                                                                                                    \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < VALUES; i++) {                                                                          \
            for (size_t j = 0; j < VALUES; j++) {                                                                      \
                type a = (type)values[i], b = (type)values[j];                                                         \
                if (allowed)                                                                                           \
                    SUM(&sum, apply_##tag(a, b), "%llx, %llx", (unsigned long long)a, (unsigned long long)b);          \
            }                                                                                                          \
        }                                                                                                              \
        corpus_sum_print(#tag, &sum);                                                                                  \
    }

#define BITS(type)    (8 * sizeof(type))
#define MINIMUM(type) ((type)((uint64_t)1 << (BITS(type) - 1)))
#define DIVIDES(type) (b != 0 && (b != (type)-1 || a != MINIMUM(type))) /* not the one quotient that overflows */
#define MASKED(type)  ((unsigned)b & (BITS(type) - 1))
#define TWICE(lo, hi) ((uint64_t)(lo)*31 + (uint64_t)(hi))
#define OVERFLOWS(which)                                                                                               \
    (__extension__({                                                                                                   \
        __typeof__(a) r_;                                                                                              \
        int o_ = which(a, b, &r_);                                                                                     \
        TWICE(r_, o_ ? 977 : 0);                                                                                       \
    }))
#define DIVIDED_BY(k) ((uint64_t)(a / (k)) * 13 + (uint64_t)(a % (k)))

#define ONE_TYPE(name, type, utype)                                                                                    \
    SWEEP(add_##name, type, true, (type)(a + b))                                                                       \
    SWEEP(sub_##name, type, true, (type)(a - b))                                                                       \
    SWEEP(mul_##name, type, true, (type)((utype)a * (uint64_t)(utype)b))                                               \
    SWEEP(div_##name, type, DIVIDES(type), (type)(a / b))                                                              \
    SWEEP(rem_##name, type, DIVIDES(type), (type)(a % b))                                                              \
    SWEEP(bits_##name, type, true, TWICE((type)(a & b), TWICE((type)(a | b), TWICE((type)(a ^ b), (type) ~(a | b)))))  \
    SWEEP(shift_##name, type, true, TWICE((type)((utype)a << MASKED(type)), (type)(a >> MASKED(type))))                \
    SWEEP(                                                                                                             \
        rotate_##name, type, true,                                                                                     \
        (utype)((utype)((utype)a << MASKED(type)) | (utype)((utype)a >> ((BITS(type) - MASKED(type)) % BITS(type)))))  \
    SWEEP(compare_##name, type, true,                                                                                  \
          (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | (!a) << 6)          \
    SWEEP(overflow_##name, type, true,                                                                                 \
          TWICE(OVERFLOWS(__builtin_add_overflow),                                                                     \
                TWICE(OVERFLOWS(__builtin_sub_overflow), OVERFLOWS(__builtin_mul_overflow))))                          \
    SWEEP(constant_##name, type, b < 4, /* divisors become multiplications, multipliers become shifts */               \
          DIVIDED_BY(3) ^ DIVIDED_BY(7) ^ DIVIDED_BY(10) ^ DIVIDED_BY(16) ^ DIVIDED_BY(100) ^ DIVIDED_BY(127) ^        \
              (uint64_t)(type)(a * 5) ^ (uint64_t)(type)(a * 100) << 8)

ONE_TYPE(i8, int8_t, uint8_t)
ONE_TYPE(u8, uint8_t, uint8_t)
ONE_TYPE(i16, int16_t, uint16_t)
ONE_TYPE(u16, uint16_t, uint16_t)
ONE_TYPE(i32, int32_t, uint32_t)
ONE_TYPE(u32, uint32_t, uint32_t)
ONE_TYPE(i64, int64_t, uint64_t)
ONE_TYPE(u64, uint64_t, uint64_t)
