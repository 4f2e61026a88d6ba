/*
 * The common arithmetic on the host's own unit: x86-64 SSE, whose rounding, exceptions and detection of tininess (after
 * rounding) are those of MIPS as long as no operand is a NaN, nothing is flushed, and tininess alone is not a trap.
 * Everything else, and every other host, goes to fpu_soft.c.
 *
 * Each operation is one asm block with the loading and storing of MXCSR in it, so that the compiler can neither move
 * nor fold it. MXCSR is left with exception bits set, which nothing here looks at, but always rounding to nearest.
 */
#ifndef SIMOS_CPU_FPU_HOST_H
#define SIMOS_CPU_FPU_HOST_H

#include "cpu/fpu.h"
#include <string.h>

#if defined(__x86_64__) && !defined(SIMOS_FPU_SOFT_ONLY)
#define FPU_HOST 1
#else
#define FPU_HOST 0
#endif

#if FPU_HOST
enum {
    MXCSR_DEFAULT = 0x1f80, /* all exceptions masked, nearest */
    MXCSR_ROUNDING_SHIFT = 13,
};

/* MXCSR word for a MIPS rounding mode. MIPS counts nearest, zero, up, down; x86 nearest, down, up, zero. */
static inline uint32_t fpu_host_control(enum fpu_rounding rounding)
{
    return MXCSR_DEFAULT | (-(uint32_t)rounding & 3) << MXCSR_ROUNDING_SHIFT;
}

/* MIPS cause bits of MXCSR exception bits: invalid, denormal operand (nothing), divide, overflow, underflow, precision.
 */
static inline unsigned fpu_host_cause(uint32_t mxcsr)
{
    return (mxcsr & 1) << 4 | (mxcsr & 4) << 1 | (mxcsr & 8) >> 1 | (mxcsr & 16) >> 3 | (mxcsr & 32) >> 5;
}

static inline bool fpu_host_usable(const struct fpu_env *env)
{
    return !env->flush && !env->underflow_enabled;
}

static inline void fpu_host_end(const struct fpu_env *env)
{
    if (SIM_UNLIKELY(env->rounding != FPU_NEAREST)) {
        uint32_t control = MXCSR_DEFAULT;
        __asm__ volatile("ldmxcsr %0" : : "m"(control));
    }
}

/* type fpu_host_NAME(env, a, b): operands are not NaNs; adds to env->cause; an invalid operation's result is the host's
 * and to be replaced. */
#define FPU_HOST_OPERATION(name, type, instruction)                                                                    \
    static inline type fpu_host_##name(struct fpu_env *env, type a, type b)                                            \
    {                                                                                                                  \
        uint32_t control = fpu_host_control(env->rounding), status;                                                    \
        __asm__ volatile("ldmxcsr %[control]\n\t" instruction " %[b], %[a]\n\tstmxcsr %[status]"                       \
                         : [a] "+x"(a), [status] "=m"(status)                                                          \
                         : [b] "x"(b), [control] "m"(control));                                                        \
        env->cause |= fpu_host_cause(status);                                                                          \
        fpu_host_end(env);                                                                                             \
        return a;                                                                                                      \
    }
FPU_HOST_OPERATION(add_s, float, "addss")
FPU_HOST_OPERATION(sub_s, float, "subss")
FPU_HOST_OPERATION(mul_s, float, "mulss")
FPU_HOST_OPERATION(div_s, float, "divss")
FPU_HOST_OPERATION(sqrt_s, float, "sqrtss")
FPU_HOST_OPERATION(add_d, double, "addsd")
FPU_HOST_OPERATION(sub_d, double, "subsd")
FPU_HOST_OPERATION(mul_d, double, "mulsd")
FPU_HOST_OPERATION(div_d, double, "divsd")
FPU_HOST_OPERATION(sqrt_d, double, "sqrtsd")
#undef FPU_HOST_OPERATION

static inline float fpu_host_narrow(struct fpu_env *env, double a)
{
    uint32_t control = fpu_host_control(env->rounding), status;
    float result = 0;
    __asm__ volatile("ldmxcsr %[control]\n\tcvtsd2ss %[a], %[result]\n\tstmxcsr %[status]"
                     : [result] "+x"(result), [status] "=m"(status)
                     : [a] "x"(a), [control] "m"(control));
    env->cause |= fpu_host_cause(status);
    fpu_host_end(env);
    return result;
}
#endif

/* Bit patterns and the host's types. */
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

#endif
