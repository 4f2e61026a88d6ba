/*
 * Floating-point operations of the host: what the code in the trace (x86_fp.c) and behind it (x86_fp_cold.c) share.
 *
 * xmm0 is the result and first operand, xmm1 and xmm2 are scratch; none of them lives longer than an operation.
 *
 * Private to cpu/translate/x86_fp*.c.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_FP_H
#define SIMOS_CPU_TRANSLATE_X86_FP_H

#include "cpu/translate/fp.h"
#include "cpu/translate/x86_emitter.h"

enum { CHECKS = 8 }; /* of an operation, at most */

enum fp_check_kind {
    CHECK_CAREFUL,  /* no further test: be careful */
    CHECK_CALL,     /* call the function */
    CHECK_OPERAND,  /* goes on if FPR `number` is zero */
    CHECK_SUM,      /* ... if xmm0 is */
    CHECK_PRODUCT,  /* ... if xmm0 is and so is fs or ft */
    CHECK_QUOTIENT, /* ... if xmm0 is and so is fs */
};

/* The operands' registers as struct insn has them. */
static inline unsigned fs_of(const struct ir_op *op)
{
    return op->insn.rd;
}
static inline unsigned ft_of(const struct ir_op *op)
{
    return op->insn.rt;
}
static inline unsigned fr_of(const struct ir_op *op)
{
    return op->insn.rs;
}
static inline unsigned fd_of(const struct ir_op *op)
{
    return op->insn.sa;
}

static inline struct x86_operand fpr_word(unsigned number, unsigned word)
{
    return x86_at(offsetof(struct core, s.fpr) + 8 * (size_t)number + 4 * (size_t)word);
}
static inline struct x86_operand low_word(const struct host_emitter *e, unsigned number)
{
    return fpr_word(e->context->fr ? number : number & ~1u, 0);
}
static inline struct x86_operand high_word(const struct host_emitter *e, unsigned number)
{
    return e->context->fr ? fpr_word(number, 1) : fpr_word(number | 1, 0);
}
/* The word with the sign and the exponent. */
static inline struct x86_operand top_word(const struct host_emitter *e, bool is_double, unsigned number)
{
    return is_double ? high_word(e, number) : fpr_word(number, 0);
}

static inline bool has_two_operands(enum fp_operation operation)
{
    enum fp_operation name = fp_name(operation);
    return name == FP_ADD_S || name == FP_SUB_S || name == FP_MUL_S || name == FP_DIV_S;
}

/* Of the result. */
static inline bool result_is_double(enum fp_operation operation)
{
    return fp_name(operation) == FP_CVT_S ? !fp_is_double(operation) : fp_is_double(operation);
}

static inline bool is_to_integer(enum fp_operation operation)
{
    return fp_name(operation) == FP_TRUNC_S || fp_name(operation) == FP_ROUND_S;
}

/* Operands into xmm0 and xmm1 (or the general register eax), with a note of them if NOTE, and the operation itself:
 * result in xmm0, or eax for those to an integer. Changes xmm2. */
void emit_fp_compute(struct host_emitter *e, const struct ir_op *op, bool note);
/* Store that result. */
void emit_fp_store_result(struct host_emitter *e, const struct ir_op *op);
/* Note in the frame that OPERATION, whose operands are there, makes FCSR.Cause. */
void emit_fp_note(struct host_emitter *e, enum fp_operation operation);

#endif
