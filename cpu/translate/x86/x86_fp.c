/*
 * Inline code of floating-point operations (fp.h): the common case. If a check fails, x86_fp_cold.c continues.
 */
#include "cpu/translate/x86/x86_fp.h"

#include "cpu/fp/fpu.h"

/* Load FPR NUMBER into xmm register TO. Changes xmm2. */
static void load_fpr(struct host_emitter *e, bool is_double, int to, unsigned number)
{
    struct x86 *x = &e->x;
    if (!is_double || e->context->fr) {
        x86_sse_load(x, is_double, to, fpr_word(number, 0));
        return;
    }
    x86_movd_in(x, to, low_word(e, number));
    x86_movd_in(x, XMM2, high_word(e, number));
    x86_punpckldq(x, to, XMM2);
}

/* Store xmm register FROM in FPR NUMBER. Changes xmm2. */
static void store_fpr(struct host_emitter *e, bool is_double, unsigned number, int from)
{
    struct x86 *x = &e->x;
    if (!is_double || e->context->fr) {
        x86_sse_store(x, is_double, fpr_word(number, 0), from);
        return;
    }
    x86_movd_out(x, low_word(e, number), from);
    x86_pshufd(x, XMM2, from, 1);
    x86_movd_out(x, high_word(e, number), XMM2);
}

/* Analysis of neighbouring operations */

/* Does OP write a word of FPR NUMBER (a double if IS_DOUBLE)? */
static bool is_written(const struct host_emitter *e, const struct ir_op *op, bool is_double, unsigned number)
{
    enum { FPR = offsetof(struct core, s.fpr) / 4 };
    unsigned low = (unsigned)(low_word(e, number).displacement + CORE_BIAS) / 4;
    unsigned high = (unsigned)(high_word(e, number).displacement + CORE_BIAS) / 4;
    if (!is_double)
        low = high = FPR + 2 * number;
    if (op->opcode == IR_SET_STATE64) /* writes two words */
        return op->target == low || op->target + 1 == low;
    if (op->opcode == IR_LOAD64 && op->dst.kind == IR_STATE)
        return op->dst.number == low || op->dst.number + 1u == low;
    return op->dst.kind == IR_STATE && (op->dst.number == low || op->dst.number == high);
}

/* Are FPRs A and B the same register or the same pair? */
static bool overlaps(const struct host_emitter *e, unsigned a, unsigned b)
{
    return a == b || (!e->context->fr && (a | 1) == (b | 1));
}

/* Do A and B name the same register in that format? */
static bool is_same_fpr(const struct host_emitter *e, bool is_double, unsigned a, unsigned b)
{
    return is_double ? overlaps(e, a, b) : a == b;
}

static bool is_arithmetic(enum fp_operation operation)
{
    return operation != FP_NONE && fp_name(operation) <= FP_CVT_INT_S && fp_name(operation) != FP_ABS_S &&
           fp_name(operation) != FP_NEG_S;
}

/* Does OP guarantee that FPR NUMBER is not denormalized, as its result or its only operand? (With two operands one may
 * be denormalized if the other is a NaN.) FCSR.FS permits denormalized operands, but then no operation is a common
 * case. */
static bool guarantees_no_denormal(const struct host_emitter *e, const struct ir_op *op, bool is_double,
                                   unsigned number)
{
    enum fp_operation operation = (enum fp_operation)op->type;
    if (!is_arithmetic(operation))
        return false;
    if (result_is_double(operation) == is_double && is_same_fpr(e, is_double, fd_of(op), number))
        return true;
    return (fp_name(operation) == FP_SQRT_S || fp_name(operation) == FP_CVT_S) &&
           fp_is_double(operation) == is_double && is_same_fpr(e, is_double, fs_of(op), number) &&
           !overlaps(e, fd_of(op), number);
}

/* Is OP a ctc1? */
static bool writes_fcsr(const struct ir_op *op)
{
    return op->opcode == IR_FP && op->type == FP_NONE && isa_table[op->id].defines & OPERAND_FCC;
}

/* Is FPR NUMBER known not to be denormalized when OP executes? If the unit computes with denormalized numbers no check
 * is needed, because the host computes with them too. */
static bool is_known_no_denormal(const struct host_emitter *e, const struct ir_op *op, bool is_double, unsigned number)
{
    if (!e->context->core->fpu_traps_denormals)
        return true;
    for (const struct ir_op *before = op; before-- > e->block->ops;) {
        if (before->opcode == IR_FP && guarantees_no_denormal(e, before, is_double, number))
            return true;
        if (before->opcode == IR_FP && fp_name((enum fp_operation)before->type) != FP_COMPARE_S &&
            overlaps(e, fd_of(before), number))
            return false;
        if (is_written(e, before, is_double, number) || writes_fcsr(before))
            return false;
    }
    return false;
}

/* Is FCSR.Cause overwritten by a later operation before it can be read after OP? */
static bool is_cause_overwritten(const struct host_emitter *e, const struct ir_op *op)
{
    const struct ir_op *end = e->block->ops + e->block->count;
    for (const struct ir_op *after = op + 1; after < end; after++) {
        if (after->opcode == IR_FP)
            return after->type != FP_NONE;
        if (after->opcode > IR_SET_STATE64) /* may leave the block (ir.h) */
            return false;
    }
    return false;
}

/* Checks */

static void add_check(struct host_emitter *e, struct cold *cold, enum fp_check_kind kind, unsigned number,
                      enum x86_condition condition)
{
    struct fp_check *check = &e->fp_checks[e->fp_check_count++];
    cold->checks++;
    *check = (struct fp_check){.kind = (uint8_t)kind, .number = (uint8_t)number, .from = x86_jcc(&e->x, condition)};
    check->back = e->x.at;
}

static void check_mode(struct host_emitter *e, struct cold *cold)
{
    x86_cmp8_imm(&e->x, AT_FRAME(fp_careful), 0);
    add_check(e, cold, CHECK_CAREFUL, 0, X86_NE);
}

/* Check FCSR.FS, for operations that depend on no other mode bit. */
static void check_flush(struct host_emitter *e, struct cold *cold)
{
    struct x86_operand top_byte = AT_CORE(s.fcr31);
    top_byte.displacement += 3;
    x86_test8_imm(&e->x, top_byte, FCSR_FS >> 24);
    add_check(e, cold, CHECK_CALL, 0, X86_NE);
}

/* Check that FPR NUMBER is not denormalized, and not zero unless ZERO_IS_GOOD. FCSR's mode has already been checked,
 * except for cvt.d.s. */
static void check_operand(struct host_emitter *e, struct cold *cold, bool is_double, unsigned number, bool zero_is_good)
{
    bool has_mode_check = cold->op->type != FP_CVT_S;
    if (zero_is_good && has_mode_check && is_known_no_denormal(e, cold->op, is_double, number))
        return;
    x86_test_imm(&e->x, top_word(e, is_double, number), is_double ? 0x7ff00000 : 0x7f800000);
    add_check(e, cold, zero_is_good ? CHECK_OPERAND : CHECK_CAREFUL, number, X86_E);
}

/* Check that the result in xmm0 is neither infinite nor zero nor denormalized. With MARGIN 2, also exclude the smallest
 * and largest normal exponents, because a tiny result may be rounded to the least normal number; MARGIN is 1 where tiny
 * results are exact. (After MARGIN is added, the excluded exponent fields are those below 2 * MARGIN.) Changes rax. */
static void check_result(struct host_emitter *e, struct cold *cold, bool is_double, unsigned margin,
                         enum fp_check_kind kind)
{
    struct x86 *x = &e->x;
    unsigned above = ~(2 * margin - 1);
    if (is_double) {
        x86_movq_out(x, x86_reg(RAX), XMM0);
        x86_shift64_imm(x, X86_SHR, x86_reg(RAX), 52);
        x86_alu_imm(x, X86_ADD, x86_reg(RAX), margin);
        x86_test_imm(x, x86_reg(RAX), 0x7ff & above);
    } else {
        x86_movd_out(x, x86_reg(RAX), XMM0);
        x86_alu_imm(x, X86_ADD, x86_reg(RAX), margin << 23);
        x86_test_imm(x, x86_reg(RAX), (0xff & above) << 23);
    }
    add_check(e, cold, kind, 0, X86_E);
}

/* Record of the last operation, in the frame */

static void note_operand(struct host_emitter *e, bool is_double, unsigned which, int from)
{
    struct x86_operand operand = AT_FRAME(fp_operands);
    operand.displacement += (int32_t)(which * sizeof(uint64_t));
    x86_sse_store(&e->x, is_double, operand, from);
}

void emit_fp_note(struct host_emitter *e, enum fp_operation operation)
{
    x86_store_imm(&e->x, AT_FRAME(fp_last), operation);
}

/* Code generation */

static enum x86_sse sse_of(enum fp_operation operation)
{
    switch (fp_name(operation)) {
    case FP_ADD_S: return X86_SSE_ADD;
    case FP_SUB_S: return X86_SSE_SUB;
    case FP_MUL_S: return X86_SSE_MUL;
    case FP_DIV_S: return X86_SSE_DIV;
    case FP_SQRT_S: return X86_SSE_SQRT;
    default: return X86_SSE_TO_OTHER;
    }
}

void emit_fp_compute(struct host_emitter *e, const struct ir_op *op, bool note)
{
    struct x86 *x = &e->x;
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = fp_is_double(operation);
    if (fp_name(operation) == FP_CVT_INT_S) {
        x86_mov(x, RAX, fpr_word(fs_of(op), 0));
        if (note)
            x86_store(x, AT_FRAME(fp_operands), RAX);
        x86_sse_clear(x, XMM0);
        x86_sse_from_integer(x, is_double, XMM0, x86_reg(RAX));
        return;
    }
    load_fpr(e, is_double, XMM0, fs_of(op));
    if (note)
        note_operand(e, is_double, 0, XMM0);
    if (has_two_operands(operation) && !note && (e->context->fr || !is_double)) {
        x86_sse(x, sse_of(operation), is_double, XMM0, fpr_word(ft_of(op), 0));
    } else if (has_two_operands(operation)) {
        load_fpr(e, is_double, XMM1, ft_of(op));
        if (note)
            note_operand(e, is_double, 1, XMM1);
        x86_sse(x, sse_of(operation), is_double, XMM0, x86_reg(XMM1));
    } else if (is_to_integer(operation)) {
        x86_sse_to_integer(x, is_double, fp_name(operation) == FP_TRUNC_S, RAX, x86_reg(XMM0));
    } else {
        x86_sse(x, sse_of(operation), is_double, XMM0, x86_reg(XMM0));
    }
}

void emit_fp_store_result(struct host_emitter *e, const struct ir_op *op)
{
    enum fp_operation operation = (enum fp_operation)op->type;
    if (is_to_integer(operation))
        x86_store(&e->x, fpr_word(fd_of(op), 0), RAX);
    else
        store_fpr(e, result_is_double(operation), fd_of(op), XMM0);
}

static void check_operands(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = fp_is_double(operation);
    if (fp_name(operation) == FP_CVT_INT_S)
        return;
    check_operand(e, cold, is_double, fs_of(op), true);
    if (has_two_operands(operation) && ft_of(op) != fs_of(op))
        check_operand(e, cold, is_double, ft_of(op), fp_name(operation) != FP_DIV_S);
}

static void check_results(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = result_is_double(operation);
    switch (fp_name(operation)) {
    case FP_ADD_S:
    case FP_SUB_S: check_result(e, cold, is_double, 1, CHECK_SUM); break;
    case FP_MUL_S: check_result(e, cold, is_double, 2, CHECK_PRODUCT); break;
    case FP_DIV_S:
    case FP_SQRT_S:
    case FP_CVT_S: check_result(e, cold, is_double, 2, CHECK_QUOTIENT); break;
    case FP_TRUNC_S:
    case FP_ROUND_S:
        x86_alu_imm(&e->x, X86_CMP, x86_reg(RAX), 0x80000000);
        add_check(e, cold, CHECK_CAREFUL, 0, X86_E);
        break;
    default: break; /* conversion from an integer: normal or zero */
    }
}

/* Exact for every operand except NaNs and infinities: cvt.d.s and cvt.d.w. */
static bool is_exact(enum fp_operation operation)
{
    return operation == FP_CVT_S || operation == FP_CVT_INT_D;
}

static void emit_common(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    enum fp_operation operation = (enum fp_operation)op->type;
    bool exact = is_exact(operation), cause_overwritten = is_cause_overwritten(e, op);
    if (!exact)
        check_mode(e, cold);
    check_operands(e, cold, op);
    emit_fp_compute(e, op, !exact && !cause_overwritten);
    check_results(e, cold, op);
    if (!cause_overwritten)
        emit_fp_note(e, exact ? FP_EXACT : operation);
    emit_fp_store_result(e, op);
}

/* fs * ft, rounded, then + fr or - fr, rounded again. */
static void emit_multiply_add(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    enum fp_operation operation = (enum fp_operation)op->type, name = fp_name(operation);
    bool is_double = fp_is_double(operation), adds = name == FP_MADD_S || name == FP_NMADD_S;
    check_mode(e, cold);
    check_operand(e, cold, is_double, fs_of(op), true);
    check_operand(e, cold, is_double, ft_of(op), true);
    check_operand(e, cold, is_double, fr_of(op), true);
    load_fpr(e, is_double, XMM0, fs_of(op));
    load_fpr(e, is_double, XMM1, ft_of(op));
    note_operand(e, is_double, 0, XMM0);
    note_operand(e, is_double, 1, XMM1);
    x86_sse(x, X86_SSE_MUL, is_double, XMM0, x86_reg(XMM1));
    check_result(e, cold, is_double, 2, CHECK_PRODUCT);
    load_fpr(e, is_double, XMM1, fr_of(op));
    note_operand(e, is_double, 2, XMM1);
    x86_sse(x, adds ? X86_SSE_ADD : X86_SSE_SUB, is_double, XMM0, x86_reg(XMM1));
    check_result(e, cold, is_double, 1, CHECK_SUM);
    if (name == FP_NMADD_S || name == FP_NMSUB_S) {
        x86_movq_out(x, x86_reg(RAX), XMM0);
        x86_btc64(x, RAX, is_double ? 63 : 31);
        x86_movq_in(x, XMM0, x86_reg(RAX));
    }
    emit_fp_note(e, operation);
    store_fpr(e, is_double, fd_of(op), XMM0);
}

/* abs, neg: exact; NaNs (and infinities, for simplicity) go to the function. */
static void emit_change_sign(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    struct x86 *x = &e->x;
    enum fp_operation operation = (enum fp_operation)op->type;
    bool is_double = fp_is_double(operation);
    uint32_t infinity = is_double ? 0x7ff00000 : 0x7f800000;
    check_flush(e, cold);
    x86_mov(x, RAX, top_word(e, is_double, fs_of(op)));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), infinity);
    x86_alu_imm(x, X86_CMP, x86_reg(RAX), infinity);
    add_check(e, cold, CHECK_CALL, 0, X86_E);
    load_fpr(e, is_double, XMM0, fs_of(op));
    x86_movq_out(x, x86_reg(RAX), XMM0);
    if (fp_name(operation) == FP_ABS_S)
        x86_btr64(x, RAX, is_double ? 63 : 31);
    else
        x86_btc64(x, RAX, is_double ? 63 : 31);
    x86_movq_in(x, XMM0, x86_reg(RAX));
    emit_fp_note(e, FP_EXACT);
    store_fpr(e, is_double, fd_of(op), XMM0);
}

/* c.cond.fmt of ordered operands: bit 1 of the condition selects equal, bit 2 less than. */
static void emit_compare_fp(struct host_emitter *e, struct cold *cold, const struct ir_op *op)
{
    static const enum x86_condition conditions[] = {[1] = X86_E, [2] = X86_B, [3] = X86_BE};
    struct x86 *x = &e->x;
    bool is_double = fp_is_double((enum fp_operation)op->type);
    unsigned asked = (unsigned)op->insn.imm >> 1 & 3, cc = (unsigned)op->insn.imm >> 4 & 7;
    unsigned shift = cc == 0 ? 23 : 24 + cc;
    check_flush(e, cold);
    load_fpr(e, is_double, XMM0, fs_of(op));
    load_fpr(e, is_double, XMM1, ft_of(op));
    x86_sse_compare(x, is_double, XMM0, x86_reg(XMM1));
    add_check(e, cold, CHECK_CALL, 0, X86_P);
    if (asked)
        x86_set(x, conditions[asked], RAX);
    x86_mov(x, RCX, AT_CORE(s.fcr31));
    x86_alu_imm(x, X86_AND, x86_reg(RCX), ~((uint32_t)1 << shift | FCSR_CAUSE));
    if (asked) {
        x86_movzx8(x, RAX, x86_reg(RAX));
        x86_shift_imm(x, X86_SHL, x86_reg(RAX), shift);
        x86_alu(x, X86_OR, RCX, x86_reg(RAX));
    }
    x86_store(x, AT_CORE(s.fcr31), RCX);
    emit_fp_note(e, FP_NONE); /* FCSR.Cause is up to date */
}

void emit_fp(struct host_emitter *e, const struct ir_op *op)
{
    struct cold *cold = emitter_cold(e, COLD_FP, op);
    if (op->type == FP_NONE || e->fp_check_count + CHECKS > MAX_FP_CHECKS) {
        e->cold_count--;
        emit_call_semantics(e, cold, STUB_FPU);
        return;
    }
    cold->first_check = (uint16_t)e->fp_check_count;
    switch (fp_name((enum fp_operation)op->type)) {
    case FP_MADD_S:
    case FP_MSUB_S:
    case FP_NMADD_S:
    case FP_NMSUB_S: emit_multiply_add(e, cold, op); break;
    case FP_ABS_S:
    case FP_NEG_S: emit_change_sign(e, cold, op); break;
    case FP_COMPARE_S: emit_compare_fp(e, cold, op); break;
    default: emit_common(e, cold, op);
    }
    cold->back = e->x.at;
}
