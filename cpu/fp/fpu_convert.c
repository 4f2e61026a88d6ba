/*
 * Floating-point conversions, by integer arithmetic (fpu_soft.c) except for the most common cases (fpu_fast.h).
 *
 * Conversions to or from the format L require 64-bit registers: with Status.FR = 0 they are reserved instructions.
 */
#include "cpu/fp/fpu.h"
#include "cpu/fp/fpu_fast.h"

/* Complete a conversion, by the format of its result. */
static inline int finish_word(struct core *core, const struct insn *insn, struct fpu_result result)
{
    if (fpu_finish(core, result.cause))
        return fpu_trap(core);
    core->s.fpr[insn->sa][0] = (uint32_t)result.bits;
    return 0;
}

static inline int finish_double(struct core *core, const struct insn *insn, struct fpu_result result)
{
    if (fpu_finish(core, result.cause))
        return fpu_trap(core);
    fpu_write_double(&core->s, insn->sa, result.bits);
    return 0;
}

static inline struct fpu_result to_word(const struct fpu_format *f, uint32_t fcsr, uint64_t a,
                                        enum fpu_rounding rounding)
{
    if (FPU_FAST && rounding == FPU_ZERO && !fpu_is_denormal(f, a)) {
        double value = f == &fpu_double ? fpu_double_of(a) : (double)fpu_float_of((uint32_t)a);
        uint32_t truncated;
        unsigned cause = 0;
        if (SIM_LIKELY(fpu_fast_trunc_w(value, &truncated, &cause)))
            return (struct fpu_result){.bits = truncated, .cause = cause};
    }
    return fpu_soft_to_integer(f, fcsr, a, 32, rounding);
}

#define READ_s (core->s.fpr[insn->rd][0])
#define READ_d fpu_read_double(&core->s, insn->rd)

#define TO_INTEGER(name, fmt, format, mode)                                                                            \
    int fpu_##name##_w_##fmt(struct core *core, const struct insn *insn)                                               \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        uint32_t fcsr = core->s.fcr31;                                                                                 \
        return finish_word(core, insn, to_word(&format, fcsr, READ_##fmt, mode));                                      \
    }                                                                                                                  \
    int fpu_##name##_l_##fmt(struct core *core, const struct insn *insn)                                               \
    {                                                                                                                  \
        if (fpu_check_long(core))                                                                                      \
            return 1;                                                                                                  \
        uint32_t fcsr = core->s.fcr31;                                                                                 \
        return finish_double(core, insn, fpu_soft_to_integer(&format, fcsr, READ_##fmt, 64, mode));                    \
    }
#define TO_INTEGERS(fmt, format)                                                                                       \
    TO_INTEGER(round, fmt, format, FPU_NEAREST)                                                                        \
    TO_INTEGER(trunc, fmt, format, FPU_ZERO)                                                                           \
    TO_INTEGER(ceil, fmt, format, FPU_UP)                                                                              \
    TO_INTEGER(floor, fmt, format, FPU_DOWN)                                                                           \
    TO_INTEGER(cvt, fmt, format, (enum fpu_rounding)(fcsr & FCSR_RM))
TO_INTEGERS(s, fpu_single)
TO_INTEGERS(d, fpu_double)

int fpu_cvt_d_s(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    uint32_t a = READ_s;
    uint64_t result;
    if (SIM_LIKELY(FPU_FAST && fpu_fast_cvt_d_s(a, &result)))
        return finish_double(core, insn, (struct fpu_result){.bits = result});
    return finish_double(core, insn, fpu_soft_convert(&fpu_single, &fpu_double, core->s.fcr31, a));
}

int fpu_cvt_s_d(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    uint64_t a = READ_d;
    uint32_t result;
    unsigned cause = 0;
    if (SIM_LIKELY(fpu_fast_mode(core->s.fcr31) && fpu_fast_cvt_s_d(a, &result, &cause)))
        return finish_word(core, insn, (struct fpu_result){.bits = result, .cause = cause});
    return finish_word(core, insn, fpu_soft_convert(&fpu_double, &fpu_single, core->s.fcr31, a));
}

int fpu_cvt_d_w(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    /* always exact */
    return finish_double(core, insn, (struct fpu_result){.bits = fpu_bits_of_double((double)(int32_t)READ_s)});
}

int fpu_cvt_s_w(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    int32_t a = (int32_t)READ_s;
    if (SIM_LIKELY(fpu_fast_mode(core->s.fcr31))) {
        unsigned cause = 0;
        uint32_t result = fpu_fast_cvt_s_w(a, &cause);
        return finish_word(core, insn, (struct fpu_result){.bits = result, .cause = cause});
    }
    return finish_word(core, insn, fpu_soft_from_integer(&fpu_single, core->s.fcr31, a));
}

int fpu_cvt_d_l(struct core *core, const struct insn *insn)
{
    if (fpu_check_long(core))
        return 1;
    return finish_double(core, insn, fpu_soft_from_integer(&fpu_double, core->s.fcr31, (int64_t)READ_d));
}

int fpu_cvt_s_l(struct core *core, const struct insn *insn)
{
    if (fpu_check_long(core))
        return 1;
    return finish_word(core, insn, fpu_soft_from_integer(&fpu_single, core->s.fcr31, (int64_t)READ_d));
}
