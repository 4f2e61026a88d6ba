/* C functions for floating point in translated code. */
#include "cpu/translate/fp.h"

#include "cpu/translate/translate.h"
#include "cpu/fp/fpu.h"

enum fp_operation translate_fp_operation(enum isa_id id)
{
#define BOTH(row, name) [ISA_##row##_S] = FP_##name##_S, [ISA_##row##_D] = FP_##name##_D
    static const uint8_t operations[ISA_COUNT] = {
        BOTH(FADD, ADD),
        BOTH(FSUB, SUB),
        BOTH(FMUL, MUL),
        BOTH(FDIV, DIV),
        BOTH(FSQRT, SQRT),
        BOTH(FMADD, MADD),
        BOTH(FMSUB, MSUB),
        BOTH(FNMADD, NMADD),
        BOTH(FNMSUB, NMSUB),
        BOTH(FABS, ABS),
        BOTH(FNEG, NEG),
        BOTH(TRUNC_W, TRUNC),
        BOTH(ROUND_W, ROUND),
        BOTH(CVT_W, ROUND),
        BOTH(C_COND, COMPARE),
        [ISA_CVT_D_S] = FP_CVT_S,
        [ISA_CVT_S_D] = FP_CVT_D,
        [ISA_CVT_S_W] = FP_CVT_INT_S,
        [ISA_CVT_D_W] = FP_CVT_INT_D,
    };
#undef BOTH
    return (enum fp_operation)operations[id];
}

void translate_fp_mode(struct core *core)
{
    enum {
        INEXACT_FLAG = FPU_INEXACT << FCSR_FLAGS_SHIFT,
        MASK = FCSR_FS | FCSR_RM | FPU_INEXACT << FCSR_ENABLES_SHIFT | INEXACT_FLAG
    };
    translate_frame(core)->fp_careful = (core->s.fcr31 & MASK) != INEXACT_FLAG;
}

/* Exceptions raised by OPERATION, executed under the common case's mode in FCSR. */
static unsigned cause_of(enum fp_operation operation, uint32_t fcsr, uint64_t a, uint64_t b, uint64_t c)
{
    const struct fpu_format *f = fp_is_double(operation) ? &fpu_double : &fpu_single;
    struct fpu_result product;
    if (!fp_is_double(operation)) {
        a = (uint32_t)a;
        b = (uint32_t)b;
        c = (uint32_t)c;
    }
    switch (fp_name(operation)) {
    case FP_ADD_S: return fpu_soft_add(f, fcsr, a, b).cause;
    case FP_SUB_S: return fpu_soft_sub(f, fcsr, a, b).cause;
    case FP_MUL_S: return fpu_soft_mul(f, fcsr, a, b).cause;
    case FP_DIV_S: return fpu_soft_div(f, fcsr, a, b).cause;
    case FP_SQRT_S: return fpu_soft_sqrt(f, fcsr, a).cause;
    case FP_MADD_S:
    case FP_NMADD_S:
        product = fpu_soft_mul(f, fcsr, a, b);
        return product.cause | fpu_soft_add(f, fcsr, product.bits, c).cause;
    case FP_MSUB_S:
    case FP_NMSUB_S:
        product = fpu_soft_mul(f, fcsr, a, b);
        return product.cause | fpu_soft_sub(f, fcsr, product.bits, c).cause;
    case FP_CVT_S: return fpu_soft_convert(f, f == &fpu_double ? &fpu_single : &fpu_double, fcsr, a).cause;
    case FP_CVT_INT_S: return fpu_soft_from_integer(f, fcsr, (int32_t)(uint32_t)a).cause;
    case FP_TRUNC_S: return fpu_soft_to_integer(f, fcsr, a, 32, FPU_ZERO).cause;
    case FP_ROUND_S: return fpu_soft_to_integer(f, fcsr, a, 32, FPU_NEAREST).cause;
    default: return 0;
    }
}

void translate_fp_update_cause(struct core *core)
{
    struct translate_frame *frame = translate_frame(core);
    if (SIM_LIKELY(frame->fp_last == FP_NONE))
        return;
    const uint64_t *operands = frame->fp_operands;
    unsigned cause = cause_of((enum fp_operation)frame->fp_last, core->s.fcr31, operands[0], operands[1], operands[2]);
    cause &= FPU_INEXACT; /* denormalized operands are not an exception where the unit computes with them */
    core->s.fcr31 = (core->s.fcr31 & ~(uint32_t)FCSR_CAUSE) | cause << FCSR_CAUSE_SHIFT;
    frame->fp_last = FP_NONE;
}

int translate_on_fpu(struct core *core, const struct insn *insn, semantic_fn *function)
{
    translate_fp_update_cause(core);
    int raised = function(core, insn);
    translate_fp_mode(core);
    return raised;
}
