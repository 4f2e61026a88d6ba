/*
 * Floating-point operations: definitions shared by the inline code (x86_fp.c) and the cold code (x86_fp_cold.c).
 *
 * xmm0 holds the first operand and the result, xmm1 and xmm2 are scratch; none is live across operations.
 *
 * Private to cpu/translate/x86/x86_fp*.c.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_X86_FP_H
#define SIMOS_CPU_TRANSLATE_X86_X86_FP_H

#include "cpu/translate/fp.h"
#include "cpu/translate/x86/x86_emitter.h"

enum { CHECKS = 8 }; /* maximum per operation */

enum fp_check_kind {
    CHECK_CAREFUL,  /* no further test: take the careful path */
    CHECK_CALL,     /* no further test: call the function */
    CHECK_OPERAND,  /* the common case continues if FPR `number` is zero */
    CHECK_SUM,      /* ... if xmm0 is zero */
    CHECK_PRODUCT,  /* ... if xmm0 is zero and fs or ft is zero */
    CHECK_QUOTIENT, /* ... if xmm0 is zero and fs is zero */
};

/* Operand register numbers, as encoded in struct insn. */
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
/* The word that holds the sign and the exponent. */
static inline struct x86_operand top_word(const struct host_emitter *e, bool is_double, unsigned number)
{
    return is_double ? high_word(e, number) : fpr_word(number, 0);
}

static inline bool has_two_operands(enum fp_operation operation)
{
    enum fp_operation name = fp_name(operation);
    return name == FP_ADD_S || name == FP_SUB_S || name == FP_MUL_S || name == FP_DIV_S;
}

/* Is the result a double? */
static inline bool result_is_double(enum fp_operation operation)
{
    return fp_name(operation) == FP_CVT_S ? !fp_is_double(operation) : fp_is_double(operation);
}

static inline bool is_to_integer(enum fp_operation operation)
{
    return fp_name(operation) == FP_TRUNC_S || fp_name(operation) == FP_ROUND_S;
}

/* Load the operands into xmm0 and xmm1 (or eax), record them in the frame if NOTE, and execute the operation: the
 * result is in xmm0, or in eax for conversions to an integer. Changes xmm2. */
void emit_fp_compute(struct host_emitter *e, const struct ir_op *op, bool note);
/* Store the result of emit_fp_compute(). */
void emit_fp_store_result(struct host_emitter *e, const struct ir_op *op);
/* Record in the frame that FCSR.Cause follows from OPERATION, whose operands are recorded already. */
void emit_fp_note(struct host_emitter *e, enum fp_operation operation);

#endif
