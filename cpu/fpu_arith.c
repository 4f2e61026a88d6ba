/*
 * Floating-point instructions that compute: add, sub, mul, div, sqrt, recip, rsqrt, multiply-add, abs, neg.
 * The two formats' functions are made from the same macros.
 */
#include "cpu/fpu.h"
#include "cpu/fpu_host.h"

/*
 * One rounded operation on bit patterns: step_NAME_FMT(env, a, b), by the host where it can.
 */
#if FPU_HOST
#define STEP(name, fmt, format, bits, of_bits, to_bits)                                                                \
    static inline bits step_##name##_##fmt(struct fpu_env *env, bits a, bits b)                                        \
    {                                                                                                                  \
        if (SIM_LIKELY(fpu_host_usable(env) && !fpu_is_nan(&format, a) && !fpu_is_nan(&format, b))) {                  \
            bits result = to_bits(fpu_host_##name##_##fmt(env, of_bits(a), of_bits(b)));                               \
            return SIM_UNLIKELY(fpu_is_nan(&format, result)) ? (bits)format.quiet_nan : result;                        \
        }                                                                                                              \
        return (bits)fpu_soft_##name(&format, env, a, b);                                                              \
    }
#else
#define STEP(name, fmt, format, bits, of_bits, to_bits)                                                                \
    static inline bits step_##name##_##fmt(struct fpu_env *env, bits a, bits b)                                        \
    {                                                                                                                  \
        return (bits)fpu_soft_##name(&format, env, a, b);                                                              \
    }
#endif
/* sqrt takes its operand twice, to look like the others. */
#define fpu_soft_sqrt(format, env, a, b) ((void)(a), fpu_soft_sqrt(format, env, b))
#define STEPS(fmt, format, bits, of_bits, to_bits)                                                                     \
    STEP(add, fmt, format, bits, of_bits, to_bits)                                                                     \
    STEP(sub, fmt, format, bits, of_bits, to_bits)                                                                     \
    STEP(mul, fmt, format, bits, of_bits, to_bits)                                                                     \
    STEP(div, fmt, format, bits, of_bits, to_bits)                                                                     \
    STEP(sqrt, fmt, format, bits, of_bits, to_bits)
STEPS(s, fpu_single, uint32_t, fpu_float_of, fpu_bits_of_float)
STEPS(d, fpu_double, uint64_t, fpu_double_of, fpu_bits_of_double)
#undef STEPS
#undef STEP
#undef fpu_soft_sqrt

#define READ_s(number)         (core->s.fpr[number][0])
#define READ_d(number)         fpu_read_double(&core->s, number)
#define WRITE_s(number, value) (core->s.fpr[number][0] = (value))
#define WRITE_d(number, value) fpu_write_double(&core->s, number, value)
#define ONE_s                  0x3f800000u
#define ONE_d                  0x3ff0000000000000u

/* An instruction whose result is EXPRESSION, in terms of env, FS, FT and FR. */
#define INSTRUCTION(name, fmt, bits, expression)                                                                       \
    int fpu_##name##_##fmt(struct core *core, const struct insn *insn)                                                 \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        struct fpu_env env = fpu_env_begin(core);                                                                      \
        bits result = (bits)(expression);                                                                              \
        if (fpu_finish(core, env.cause))                                                                               \
            return 1;                                                                                                  \
        WRITE_##fmt(insn->sa, result);                                                                                 \
        return 0;                                                                                                      \
    }
#define FS(fmt) READ_##fmt(insn->rd)
#define FT(fmt) READ_##fmt(insn->rt)
#define FR(fmt) READ_##fmt(insn->rs)

/*
 * recip and rsqrt are exact operations here: IEEE division and square root, each rounded (the architecture allows an
 * error of one unit for recip and two for rsqrt). The multiply-adds round the product, then the sum; both may add to
 * Cause. nmadd and nmsub invert the sign of whatever comes out, even of a NaN.
 */
#define INSTRUCTIONS(fmt, format, bits)                                                                                \
    INSTRUCTION(add, fmt, bits, step_add_##fmt(&env, FS(fmt), FT(fmt)))                                                \
    INSTRUCTION(sub, fmt, bits, step_sub_##fmt(&env, FS(fmt), FT(fmt)))                                                \
    INSTRUCTION(mul, fmt, bits, step_mul_##fmt(&env, FS(fmt), FT(fmt)))                                                \
    INSTRUCTION(div, fmt, bits, step_div_##fmt(&env, FS(fmt), FT(fmt)))                                                \
    INSTRUCTION(sqrt, fmt, bits, step_sqrt_##fmt(&env, FS(fmt), FS(fmt)))                                              \
    INSTRUCTION(recip, fmt, bits, step_div_##fmt(&env, ONE_##fmt, FS(fmt)))                                            \
    INSTRUCTION(rsqrt, fmt, bits, step_div_##fmt(&env, ONE_##fmt, step_sqrt_##fmt(&env, FS(fmt), FS(fmt))))            \
    INSTRUCTION(abs, fmt, bits, fpu_soft_abs(&format, &env, FS(fmt)))                                                  \
    INSTRUCTION(neg, fmt, bits, fpu_soft_neg(&format, &env, FS(fmt)))                                                  \
    INSTRUCTION(madd, fmt, bits, step_add_##fmt(&env, step_mul_##fmt(&env, FS(fmt), FT(fmt)), FR(fmt)))                \
    INSTRUCTION(msub, fmt, bits, step_sub_##fmt(&env, step_mul_##fmt(&env, FS(fmt), FT(fmt)), FR(fmt)))                \
    INSTRUCTION(nmadd, fmt, bits, format.sign ^ step_add_##fmt(&env, step_mul_##fmt(&env, FS(fmt), FT(fmt)), FR(fmt))) \
    INSTRUCTION(nmsub, fmt, bits, format.sign ^ step_sub_##fmt(&env, step_mul_##fmt(&env, FS(fmt), FT(fmt)), FR(fmt)))
INSTRUCTIONS(s, fpu_single, uint32_t)
INSTRUCTIONS(d, fpu_double, uint64_t)
