/*
 * Floating-point arithmetic instructions: add, sub, mul, div, sqrt, recip, rsqrt, multiply-add, abs, neg. The same
 * macros define the functions for both formats.
 */
#include "cpu/fp/fpu.h"
#include "cpu/fp/fpu_fast.h"

/* One rounded operation on bit patterns, step_NAME_FMT(fcsr, a, b): on the fast path if its preconditions hold. */
#define STEP(name, fmt, format, type)                                                                                  \
    static inline struct fpu_result step_##name##_##fmt(uint32_t fcsr, uint64_t a, uint64_t b)                         \
    {                                                                                                                  \
        type result;                                                                                                   \
        unsigned cause = 0;                                                                                            \
        if (SIM_LIKELY(fpu_fast_mode(fcsr) && fpu_fast_##name##_##fmt((type)a, (type)b, &result, &cause)))             \
            return (struct fpu_result){.bits = result, .cause = cause};                                                \
        return fpu_soft_##name(&format, fcsr, a, b);                                                                   \
    }
/* sqrt takes its operand second, for a uniform signature. */
#define fpu_soft_sqrt(format, fcsr, a, b) ((void)(a), fpu_soft_sqrt(format, fcsr, b))
/* recip and rsqrt are IEEE division and square root, each correctly rounded (the architecture allows an error of one
 * unit for recip and two for rsqrt). The multiply-adds round the product, then the sum. Both steps contribute to
 * Cause. */
#define STEPS(fmt, format, type, one)                                                                                  \
    STEP(add, fmt, format, type)                                                                                       \
    STEP(sub, fmt, format, type)                                                                                       \
    STEP(mul, fmt, format, type)                                                                                       \
    STEP(div, fmt, format, type)                                                                                       \
    STEP(sqrt, fmt, format, type)                                                                                      \
    static inline struct fpu_result recip_##fmt(uint32_t fcsr, uint64_t a)                                             \
    {                                                                                                                  \
        return step_div_##fmt(fcsr, one, a);                                                                           \
    }                                                                                                                  \
    static inline struct fpu_result rsqrt_##fmt(uint32_t fcsr, uint64_t a)                                             \
    {                                                                                                                  \
        struct fpu_result root = step_sqrt_##fmt(fcsr, a, a);                                                          \
        return also(step_div_##fmt(fcsr, one, root.bits), root.cause);                                                 \
    }                                                                                                                  \
    static inline struct fpu_result madd_##fmt(uint32_t fcsr, uint64_t a, uint64_t b, uint64_t c)                      \
    {                                                                                                                  \
        struct fpu_result product = step_mul_##fmt(fcsr, a, b);                                                        \
        return also(step_add_##fmt(fcsr, product.bits, c), product.cause);                                             \
    }                                                                                                                  \
    static inline struct fpu_result msub_##fmt(uint32_t fcsr, uint64_t a, uint64_t b, uint64_t c)                      \
    {                                                                                                                  \
        struct fpu_result product = step_mul_##fmt(fcsr, a, b);                                                        \
        return also(step_sub_##fmt(fcsr, product.bits, c), product.cause);                                             \
    }                                                                                                                  \
    static inline struct fpu_result change_sign_##fmt(uint32_t fcsr, uint64_t a, bool absolute)                        \
    {                                                                                                                  \
        if (SIM_LIKELY(!(fcsr & FCSR_FS) && !fpu_is_nan(&format, a)))                                                  \
            return (struct fpu_result){.bits = absolute ? a & ~format.sign : a ^ format.sign};                         \
        return absolute ? fpu_soft_abs(&format, fcsr, a) : fpu_soft_neg(&format, fcsr, a);                             \
    }

/* RESULT of a second step, with the exceptions CAUSE of the first one added. */
static inline struct fpu_result also(struct fpu_result result, unsigned cause)
{
    result.cause |= cause;
    return result;
}

/* nmadd and nmsub invert the sign of the result, even of a NaN. */
static inline struct fpu_result inverted(struct fpu_result result, uint64_t sign)
{
    result.bits ^= sign;
    return result;
}

STEPS(s, fpu_single, uint32_t, 0x3f800000)
STEPS(d, fpu_double, uint64_t, 0x3ff0000000000000)
#undef STEPS
#undef STEP
#undef fpu_soft_sqrt

#define READ_s(number)         (core->s.fpr[number][0])
#define READ_d(number)         fpu_read_double(&core->s, number)
#define WRITE_s(number, value) (core->s.fpr[number][0] = (uint32_t)(value))
#define WRITE_d(number, value) fpu_write_double(&core->s, number, value)

/* Define the instruction with result EXPRESSION, in terms of FCSR, FS, FT and FR. */
#define INSTRUCTION(name, fmt, expression)                                                                             \
    int fpu_##name##_##fmt(struct core *core, const struct insn *insn)                                                 \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        struct fpu_result result = expression;                                                                         \
        if (fpu_finish(core, result.cause))                                                                            \
            return fpu_trap(core);                                                                                     \
        WRITE_##fmt(insn->sa, result.bits);                                                                            \
        return 0;                                                                                                      \
    }
#define FCSR    core->s.fcr31
#define FS(fmt) READ_##fmt(insn->rd)
#define FT(fmt) READ_##fmt(insn->rt)
#define FR(fmt) READ_##fmt(insn->rs)

#define INSTRUCTIONS(fmt, format)                                                                                      \
    INSTRUCTION(add, fmt, step_add_##fmt(FCSR, FS(fmt), FT(fmt)))                                                      \
    INSTRUCTION(sub, fmt, step_sub_##fmt(FCSR, FS(fmt), FT(fmt)))                                                      \
    INSTRUCTION(mul, fmt, step_mul_##fmt(FCSR, FS(fmt), FT(fmt)))                                                      \
    INSTRUCTION(div, fmt, step_div_##fmt(FCSR, FS(fmt), FT(fmt)))                                                      \
    INSTRUCTION(sqrt, fmt, step_sqrt_##fmt(FCSR, FS(fmt), FS(fmt)))                                                    \
    INSTRUCTION(recip, fmt, recip_##fmt(FCSR, FS(fmt)))                                                                \
    INSTRUCTION(rsqrt, fmt, rsqrt_##fmt(FCSR, FS(fmt)))                                                                \
    INSTRUCTION(abs, fmt, change_sign_##fmt(FCSR, FS(fmt), true))                                                      \
    INSTRUCTION(neg, fmt, change_sign_##fmt(FCSR, FS(fmt), false))                                                     \
    INSTRUCTION(madd, fmt, madd_##fmt(FCSR, FS(fmt), FT(fmt), FR(fmt)))                                                \
    INSTRUCTION(msub, fmt, msub_##fmt(FCSR, FS(fmt), FT(fmt), FR(fmt)))                                                \
    INSTRUCTION(nmadd, fmt, inverted(madd_##fmt(FCSR, FS(fmt), FT(fmt), FR(fmt)), format.sign))                        \
    INSTRUCTION(nmsub, fmt, inverted(msub_##fmt(FCSR, FS(fmt), FT(fmt), FR(fmt)), format.sign))
INSTRUCTIONS(s, fpu_single)
INSTRUCTIONS(d, fpu_double)
