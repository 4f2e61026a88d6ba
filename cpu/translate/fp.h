/*
 * Floating point in translated code. Operations in the common case are machine code (x86_fp.c): FCSR rounds to nearest,
 * flushes nothing and does not trap on Inexact; operands are normal numbers or zero and so is the result. Everything
 * else is the function that isa.def names.
 *
 * FCSR.Cause says after every operation whether that was inexact, which costs more to find out than the operation. So
 * machine code only notes the last operation and its operands in the frame, and FCSR's Cause is made from them when
 * somebody is going to look at it (translate_fp_settle). FCSR.Flags are always true: while Flags.I is not set,
 * operations are executed carefully, one look at the host's flags each, until one is inexact.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_FP_H
#define SIMOS_CPU_TRANSLATE_FP_H

#include "cpu/core.h"

/* Operations that machine code has a common case of; each NAME_S is even and followed by NAME_D. */
#define FP_OPERATIONS(X)                                                                                               \
    X(ADD)                                                                                                             \
    X(SUB)                                                                                                             \
    X(MUL)                                                                                                             \
    X(DIV)                                                                                                             \
    X(SQRT)                                                                                                            \
    X(MADD)                                                                                                            \
    X(MSUB)                                                                                                            \
    X(NMADD)                                                                                                           \
    X(NMSUB)                                                                                                           \
    X(ABS)                                                                                                             \
    X(NEG)                                                                                                             \
    X(CVT)     /* to the other format */                                                                               \
    X(CVT_INT) /* to this format, of a word */                                                                         \
    X(TRUNC)   /* of this format, to a word */                                                                         \
    X(ROUND)   /* the same, to nearest; cvt.w too, since FCSR rounds to nearest */                                     \
    X(COMPARE)

enum fp_operation {
    FP_NONE,
    FP_EXACT, /* in the frame: the last operation was exact, whatever it was */
#define FP_NAMES(name) FP_##name##_S, FP_##name##_D,
    FP_OPERATIONS(FP_NAMES)
#undef FP_NAMES
        FP_OPERATION_COUNT
};
static inline bool fp_is_double(enum fp_operation operation)
{
    return operation & 1;
}
/* Its NAME_S. */
static inline enum fp_operation fp_name(enum fp_operation operation)
{
    return (enum fp_operation)((unsigned)operation & ~1u);
}

/* What machine code has for the instruction, FP_NONE if nothing. */
enum fp_operation translate_fp_operation(enum isa_id id);

/* FCSR has changed, or may have: note whether it allows the common case. */
void translate_fp_mode(struct core *core);

/* Bring FCSR.Cause up to date. Cheap if it is. */
void translate_fp_settle(struct core *core);

/* What machine code calls for every instruction that is not, or not here, a common case. Nonzero: an exception. */
int translate_on_fpu(struct core *core, const struct insn *insn, semantic_fn *function);

#endif
