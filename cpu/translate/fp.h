/*
 * Floating point in translated code. The common case of an operation is inline machine code (x86_fp.c): FCSR rounds to
 * nearest, does not flush and does not trap on Inexact; operands and result are normal numbers or zero. Every other
 * case calls the function that isa.def names.
 *
 * After every operation FCSR.Cause says whether it was inexact; computing that costs more than the operation. So
 * machine code only records the last operation and its operands in the frame, and translate_fp_update_cause() computes
 * FCSR.Cause from them before it is read. FCSR.Flags is always up to date: while Flags.I is clear, each operation takes
 * the careful path, which tests the host's exception flags, until one is inexact.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_FP_H
#define SIMOS_CPU_TRANSLATE_FP_H

#include "cpu/core.h"

/* Operations with an inline common case; each NAME_S has an even number and is followed by NAME_D. */
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
    X(CVT_INT) /* from a word to this format */                                                                        \
    X(TRUNC)   /* from this format to a word */                                                                        \
    X(ROUND)   /* likewise, to nearest; also cvt.w, as FCSR rounds to nearest */                                       \
    X(COMPARE)

enum fp_operation {
    FP_NONE,
    FP_EXACT, /* in frame->fp_last: the last operation was exact */
#define FP_NAMES(name) FP_##name##_S, FP_##name##_D,
    FP_OPERATIONS(FP_NAMES)
#undef FP_NAMES
        FP_OPERATION_COUNT
};
static inline bool fp_is_double(enum fp_operation operation)
{
    return operation & 1;
}
/* The NAME_S of OPERATION. */
static inline enum fp_operation fp_name(enum fp_operation operation)
{
    return (enum fp_operation)((unsigned)operation & ~1u);
}

/* The inline operation for instruction ID; FP_NONE if there is none. */
enum fp_operation translate_fp_operation(enum isa_id id);

/* FCSR may have changed: update frame->fp_careful, which says whether FCSR allows the common case. */
void translate_fp_mode(struct core *core);

/* Bring FCSR.Cause up to date. Cheap if it is already. */
void translate_fp_update_cause(struct core *core);

/* Called by machine code to execute an FP instruction out of line through FUNCTION. Nonzero: exception raised. */
int translate_on_fpu(struct core *core, const struct insn *insn, semantic_fn *function);

#endif
