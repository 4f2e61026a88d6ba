/* Shapes of the programs about comparisons. One of conditions defines OPERAND, which loads its format, and C_COND, the
 * word of c.f.fmt $f20, $f22. */
#ifndef SIMOS_TESTS_R3000_FP_COMPARE_H
#define SIMOS_TESTS_R3000_FP_COMPARE_H

#include "fp.h"

#ifdef __ASSEMBLER__
/* The 16 conditions over A and B, of which those with BIT hold. */
.macro RELATION a, b, bit
        .set    cond, 0
        .rept   16
        SET_FCSR 0
        OPERAND 20, \a
        OPERAND 22, \b
        .word   C_COND | cond             /* c.cond.fmt $f20, $f22 */
        nop
        .if     cond & \bit
        CHECK_FCSR FC_C, FC_C
        .else
        CHECK_FCSR FC_C, 0
        .endif
        .if     (\bit == 1) && (cond & 8)
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_V | FC_CAUSE(FC_V)
        .else
        CHECK_FCSR FC_FLAGS | FC_CAUSES, 0
        .endif
        .set    cond, cond + 1
        .endr
.endm

/* FCR31 after one comparison of singles is RESULT. */
.macro COMPARE op, a, b, result
        SET_FCSR 0
        SINGLE  20, \a
        SINGLE  22, \b
        \op     $f20, $f22
        nop
        CHECK_FCSR FC_C | FC_FLAGS | FC_CAUSES, \result
.endm
#endif

#endif
