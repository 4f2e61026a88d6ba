/* Shapes of the tests of single integer instructions, whatever processor they are for: this suite and tests/r3000.
 * Operands go through $t0, $t1; results come out in $t2. */
#ifndef SIMOS_TESTS_INSN_ALU_CHECK_H
#define SIMOS_TESTS_INSN_ALU_CHECK_H

/* OP $t2, $t0, $t1 */
.macro BINARY op, a, b, result
        li      $t0, \a
        li      $t1, \b
        li      $t2, 0x5a5a5a5a
        \op     $t2, $t0, $t1
        CHECK   $t2, \result
.endm

/* The operands of OP may be one register, and the result may replace either or go nowhere. */
.macro BINARY_ALIASES op, a, b, result, result_a_a
        li      $t0, \a
        li      $t1, \b
        \op     $t0, $t0, $t1
        CHECK   $t0, \result
        li      $t0, \a
        \op     $t1, $t0, $t1
        CHECK   $t1, \result
        li      $t0, \a
        \op     $t2, $t0, $t0
        CHECK   $t2, \result_a_a
        \op     $t0, $t0, $t0
        CHECK   $t0, \result_a_a
        li      $t0, \a
        li      $t1, \b
        \op     $zero, $t0, $t1
        CHECK   $zero, 0
.endm

/* OP $t2, $t0, IMM */
.macro IMMEDIATE op, a, imm, result
        li      $t0, \a
        li      $t2, 0x5a5a5a5a
        \op     $t2, $t0, \imm
        CHECK   $t2, \result
.endm
.macro IMMEDIATE_ALIASES op, a, imm, result
        li      $t0, \a
        \op     $t0, $t0, \imm
        CHECK   $t0, \result
        li      $t0, \a
        \op     $zero, $t0, \imm
        CHECK   $zero, 0
.endm

/* OP $t2, $t0 */
.macro UNARY op, a, result
        li      $t0, \a
        li      $t2, 0x5a5a5a5a
        \op     $t2, $t0
        CHECK   $t2, \result
.endm
.macro UNARY_ALIASES op, a, result
        li      $t0, \a
        \op     $t0, $t0
        CHECK   $t0, \result
        li      $t0, \a
        \op     $zero, $t0
        CHECK   $zero, 0
.endm

/* OP $t2, $t0, $t1 raises Ov and leaves $t2. */
.macro OVERFLOW op, a, b
        li      $t0, \a
        li      $t1, \b
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, \op $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
.endm
.macro OVERFLOW_IMMEDIATE op, a, imm
        li      $t0, \a
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, \op $t2, $t0, \imm
        CHECK   $t2, 0x5a5a5a5a
.endm

/* OP $t0, $t1 into HI and LO. On MIPS I two instructions stand between a read of them and what writes them next. */
.macro TO_HI_LO op, a, b, hi, lo
        li      $t0, \a
        li      $t1, \b
        \op     $t0, $t1
        mfhi    $t2
        mflo    $t3
        LOAD_SLOT
        LOAD_SLOT
        CHECK   $t2, \hi
        CHECK   $t3, \lo
.endm
.macro ACCUMULATE op, hi0, lo0, a, b, hi, lo
        li      $t0, \hi0
        mthi    $t0
        li      $t0, \lo0
        mtlo    $t0
        TO_HI_LO \op, \a, \b, \hi, \lo
.endm
#endif
