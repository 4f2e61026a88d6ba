/*
 * Cold code of floating-point operations. After a failed check there are three ways to continue, the fastest first: if
 * the value is a zero, which is as good as a normal number, return at once; else take the careful path, which executes
 * the operation and reads from the host's flags whether it was exact; else call the function that isa.def names.
 */
#include "cpu/translate/x86/x86_fp.h"

#include "cpu/fp/fpu.h"

/* Jump to BACK if FPR NUMBER is zero. Changes rax. */
static void return_if_zero(struct host_emitter *e, bool is_double, unsigned number, const uint8_t *back)
{
    struct x86 *x = &e->x;
    x86_mov(x, RAX, top_word(e, is_double, number));
    x86_alu(x, X86_ADD, RAX, x86_reg(RAX)); /* shifts out the sign */
    if (is_double)
        x86_alu(x, X86_OR, RAX, low_word(e, number));
    x86_jcc_to(x, X86_E, back);
}

/* Test whether xmm0 is zero: X86_E if it is. Changes rax. */
static void test_xmm0(struct host_emitter *e, bool is_double)
{
    struct x86 *x = &e->x;
    if (is_double) {
        x86_movq_out(x, x86_reg(RAX), XMM0);
        x86_alu64(x, X86_ADD, RAX, x86_reg(RAX));
    } else {
        x86_movd_out(x, x86_reg(RAX), XMM0);
        x86_alu(x, X86_ADD, RAX, x86_reg(RAX));
    }
}

/* After a failed check: jump back if the only reason is a zero, otherwise fall through. */
static void emit_cold_check(struct host_emitter *e, const struct ir_op *op, const struct fp_check *check)
{
    struct x86 *x = &e->x;
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = fp_is_double(operation);
    if (check->kind == CHECK_OPERAND) {
        return_if_zero(e, is_double, check->number, check->back);
        return;
    }
    test_xmm0(e, result_is_double(operation));
    if (check->kind == CHECK_SUM) {
        x86_jcc_to(x, X86_E, check->back);
        return;
    }
    uint8_t *other = x86_jcc(x, X86_NE);
    return_if_zero(e, is_double, fs_of(op), check->back);
    if (check->kind == CHECK_PRODUCT)
        return_if_zero(e, is_double, ft_of(op), check->back);
    x86_patch(other, x->at);
}

/* Displacement fields of jumps to a common target that is not generated yet. */
struct jumps {
    unsigned count;
    uint8_t *from[2 * CHECKS];
};
static void add_jump(struct jumps *jumps, uint8_t *from)
{
    jumps->from[jumps->count++] = from;
}
static void patch_jumps(struct host_emitter *e, const struct jumps *jumps)
{
    for (unsigned i = 0; i < jumps->count; i++)
        x86_patch(jumps->from[i], e->x.at);
}

/* Careful path: execute OP inline if it is exact; jump to CALL if not. It is taken if FCSR.Flags.I is clear or in
 * unusual cases. The host's exception flags in MXCSR are: invalid 1, denormal 2, divide by zero 4, overflow 8,
 * underflow 16, inexact 32. They are sticky: only if one is set are they cleared and the operation repeated, to find
 * the flags of this operation. */
static void emit_careful(struct host_emitter *e, const struct cold *cold, struct jumps *call)
{
    enum { INEXACT_ENABLE = FPU_INEXACT << FCSR_ENABLES_SHIFT, ALL = 63 };
    struct x86 *x = &e->x;
    const struct ir_op *op = cold->op;
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = result_is_double(operation);
    x86_test_imm(x, AT_CORE(s.fcr31), FCSR_FS | FCSR_RM | INEXACT_ENABLE);
    add_jump(call, x86_jcc(x, X86_NE));
    emit_fp_compute(e, op, false);
    x86_stmxcsr(x, AT_FRAME(mxcsr));
    x86_test8_imm(x, AT_FRAME(mxcsr), ALL);
    uint8_t *exact = x86_jcc(x, X86_E);
    x86_ldmxcsr(x, AT_FRAME(mxcsr_clear));
    emit_fp_compute(e, op, false);
    x86_stmxcsr(x, AT_FRAME(mxcsr));
    x86_test8_imm(x, AT_FRAME(mxcsr), ALL);
    add_jump(call, x86_jcc(x, X86_NE));
    x86_patch(exact, x->at);
    if (!is_to_integer(operation)) { /* NaNs, infinities and exact denormalized results go to the function */
        test_xmm0(e, is_double);
        uint8_t *zero = x86_jcc_short(x, X86_E);
        x86_shift64_imm(x, X86_SHR, x86_reg(RAX), is_double ? 53 : 24);
        x86_alu_imm(x, X86_SUB, x86_reg(RAX), 1);
        x86_alu_imm(x, X86_CMP, x86_reg(RAX), (is_double ? 0x7ff : 0xff) - 1);
        add_jump(call, x86_jcc(x, X86_AE));
        x86_patch_short(zero, x->at);
    }
    emit_fp_note(e, FP_EXACT);
    emit_fp_store_result(e, op);
    x86_jump_to(x, cold->back);
}

static bool can_be_careful(enum fp_operation operation)
{
    switch (fp_name(operation)) {
    case FP_ADD_S:
    case FP_SUB_S:
    case FP_MUL_S:
    case FP_DIV_S:
    case FP_SQRT_S:
    case FP_CVT_S:
    case FP_CVT_INT_S:
    case FP_TRUNC_S:
    case FP_ROUND_S: return true;
    default: return false;
    }
}

void emit_cold_fp(struct host_emitter *e, const struct cold *cold)
{
    struct jumps careful = {0}, call = {0};
    const struct fp_check *checks = &e->fp_checks[cold->first_check];
    bool has_careful = false;
    if (cold->checks == 0)
        return;
    for (unsigned i = 0; i < cold->checks; i++) {
        const struct fp_check *check = &checks[i];
        if (check->kind == CHECK_CALL) {
            add_jump(&call, check->from);
            continue;
        }
        has_careful = true;
        if (check->kind == CHECK_CAREFUL) {
            add_jump(&careful, check->from);
            continue;
        }
        x86_patch(check->from, e->x.at);
        emit_cold_check(e, cold->op, check);
        add_jump(&careful, x86_jump(&e->x));
    }
    patch_jumps(e, &careful);
    if (has_careful && can_be_careful((enum fp_operation)cold->op->type))
        emit_careful(e, cold, &call);
    patch_jumps(e, &call);
    /* The function sets FCSR.Cause itself, and the operands recorded in the frame may already belong to this
     * operation. */
    emit_fp_note(e, FP_NONE);
    emit_call_semantics(e, cold, STUB_FPU);
    x86_jump_to(&e->x, cold->back);
}
