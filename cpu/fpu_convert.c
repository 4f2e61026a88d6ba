/*
 * Floating-point conversions. All of them are integer work (fpu_soft.c) but the common and simple ones, which the
 * host's compiler does exactly.
 *
 * Conversions to or from the format L need 64-bit registers: with Status.FR = 0 they are reserved instructions.
 */
#include "cpu/fpu.h"
#include "cpu/fpu_host.h"

static int to_word(struct core *core, const struct insn *insn, const struct fpu_format *f, uint64_t a,
                   enum fpu_rounding rounding, struct fpu_env *env)
{
    uint32_t result = (uint32_t)fpu_soft_to_integer(f, env, a, 32, rounding);
    if (fpu_finish(core, env->cause))
        return 1;
    core->s.fpr[insn->sa][0] = result;
    return 0;
}

static int to_long(struct core *core, const struct insn *insn, const struct fpu_format *f, uint64_t a,
                   enum fpu_rounding rounding, struct fpu_env *env)
{
    uint64_t result = fpu_soft_to_integer(f, env, a, 64, rounding);
    if (fpu_finish(core, env->cause))
        return 1;
    fpu_write_double(&core->s, insn->sa, result);
    return 0;
}

#define TO_INTEGER(name, mode)                                                                                         \
    int fpu_##name##_w_s(struct core *core, const struct insn *insn)                                                   \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        struct fpu_env env = fpu_env_begin(core);                                                                      \
        return to_word(core, insn, &fpu_single, core->s.fpr[insn->rd][0], mode, &env);                                 \
    }                                                                                                                  \
    int fpu_##name##_w_d(struct core *core, const struct insn *insn)                                                   \
    {                                                                                                                  \
        if (fpu_check(core))                                                                                           \
            return 1;                                                                                                  \
        struct fpu_env env = fpu_env_begin(core);                                                                      \
        return to_word(core, insn, &fpu_double, fpu_read_double(&core->s, insn->rd), mode, &env);                      \
    }                                                                                                                  \
    int fpu_##name##_l_s(struct core *core, const struct insn *insn)                                                   \
    {                                                                                                                  \
        if (fpu_check_long(core))                                                                                      \
            return 1;                                                                                                  \
        struct fpu_env env = fpu_env_begin(core);                                                                      \
        return to_long(core, insn, &fpu_single, core->s.fpr[insn->rd][0], mode, &env);                                 \
    }                                                                                                                  \
    int fpu_##name##_l_d(struct core *core, const struct insn *insn)                                                   \
    {                                                                                                                  \
        if (fpu_check_long(core))                                                                                      \
            return 1;                                                                                                  \
        struct fpu_env env = fpu_env_begin(core);                                                                      \
        return to_long(core, insn, &fpu_double, fpu_read_double(&core->s, insn->rd), mode, &env);                      \
    }
TO_INTEGER(round, FPU_NEAREST)
TO_INTEGER(trunc, FPU_ZERO)
TO_INTEGER(ceil, FPU_UP)
TO_INTEGER(floor, FPU_DOWN)
TO_INTEGER(cvt, env.rounding)

int fpu_cvt_d_s(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    struct fpu_env env = fpu_env_begin(core);
    uint64_t result = fpu_soft_convert(&fpu_single, &fpu_double, &env, core->s.fpr[insn->rd][0]);
    if (fpu_finish(core, env.cause))
        return 1;
    fpu_write_double(&core->s, insn->sa, result);
    return 0;
}

int fpu_cvt_s_d(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    struct fpu_env env = fpu_env_begin(core);
    uint64_t a = fpu_read_double(&core->s, insn->rd);
    uint32_t result;
#if FPU_HOST
    if (SIM_LIKELY(fpu_host_usable(&env) && !fpu_is_nan(&fpu_double, a)))
        result = fpu_bits_of_float(fpu_host_narrow(&env, fpu_double_of(a)));
    else
#endif
        result = (uint32_t)fpu_soft_convert(&fpu_double, &fpu_single, &env, a);
    if (fpu_finish(core, env.cause))
        return 1;
    core->s.fpr[insn->sa][0] = result;
    return 0;
}

int fpu_cvt_d_w(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    /* Always exact. */
    uint64_t result = fpu_bits_of_double((double)(int32_t)core->s.fpr[insn->rd][0]);
    if (fpu_finish(core, 0))
        return 1;
    fpu_write_double(&core->s, insn->sa, result);
    return 0;
}

int fpu_cvt_d_l(struct core *core, const struct insn *insn)
{
    if (fpu_check_long(core))
        return 1;
    struct fpu_env env = fpu_env_begin(core);
    uint64_t result = fpu_soft_from_integer(&fpu_double, &env, (int64_t)fpu_read_double(&core->s, insn->rd));
    if (fpu_finish(core, env.cause))
        return 1;
    fpu_write_double(&core->s, insn->sa, result);
    return 0;
}

int fpu_cvt_s_w(struct core *core, const struct insn *insn)
{
    if (fpu_check(core))
        return 1;
    struct fpu_env env = fpu_env_begin(core);
    uint32_t result = (uint32_t)fpu_soft_from_integer(&fpu_single, &env, (int32_t)core->s.fpr[insn->rd][0]);
    if (fpu_finish(core, env.cause))
        return 1;
    core->s.fpr[insn->sa][0] = result;
    return 0;
}

int fpu_cvt_s_l(struct core *core, const struct insn *insn)
{
    if (fpu_check_long(core))
        return 1;
    struct fpu_env env = fpu_env_begin(core);
    uint32_t result = (uint32_t)fpu_soft_from_integer(&fpu_single, &env, (int64_t)fpu_read_double(&core->s, insn->rd));
    if (fpu_finish(core, env.cause))
        return 1;
    core->s.fpr[insn->sa][0] = result;
    return 0;
}
