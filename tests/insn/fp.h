/* Shapes of the tests of floating-point instructions. $f20, $f22 hold operands, $f24 results; doubles are pairs, as with
 * Status.FR = 0. */
#ifndef SIMOS_TESTS_INSN_FP_H
#define SIMOS_TESTS_INSN_FP_H

#include "test.h"

/* FCSR */
#define FC_FLAG_I   0x00000004
#define FC_FLAG_U   0x00000008
#define FC_FLAG_O   0x00000010
#define FC_FLAG_Z   0x00000020
#define FC_FLAG_V   0x00000040
#define FC_ENABLE(flag) ((flag) << 5)
#define FC_CAUSE(flag)  ((flag) << 10)
#define FC_FLAGS    0x0000007c
#define FC_CAUSES   0x0003f000
#define FC_CC0      0x00800000
#define FC_FS       0x01000000
#define RM_NEAREST  0
#define RM_ZERO     1
#define RM_UP       2
#define RM_DOWN     3

#ifdef __ASSEMBLER__
.macro SET_FCSR value
        li      $at, \value
        ctc1    $at, $31
.endm

/* FCSR in the bits of MASK. */
.macro CHECK_FCSR mask, value
        cfc1    $s7, $31
        li      $at, \mask
        and     $s7, $s7, $at
        CHECK   $s7, \value
.endm

.macro SINGLE reg, bits
        li      $at, \bits
        mtc1    $at, $\reg
.endm
.macro DOUBLE reg, high, low
        li      $at, \low
        mtc1    $at, $\reg
        li      $at, \high
        mthc1   $at, $\reg
.endm
.macro CHECK_SINGLE reg, bits
        mfc1    $s7, $\reg
        CHECK   $s7, \bits
.endm
.macro CHECK_DOUBLE reg, high, low
        mfc1    $s7, $\reg
        CHECK   $s7, \low
        mfhc1   $s7, $\reg
        CHECK   $s7, \high
.endm

/* OP.s $f24, $f20, $f22 with the flags it raises; enabled exceptions: none. */
.macro OP_SINGLE op, a, b, result, flags=0
        SET_FCSR 0
        SINGLE  f20, \a
        SINGLE  f22, \b
        \op     $f24, $f20, $f22
        CHECK_SINGLE f24, \result
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro OP_SINGLE_1 op, a, result, flags=0
        SET_FCSR 0
        SINGLE  f20, \a
        \op     $f24, $f20
        CHECK_SINGLE f24, \result
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro OP_DOUBLE op, ah, al, bh, bl, rh, rl, flags=0
        SET_FCSR 0
        DOUBLE  f20, \ah, \al
        DOUBLE  f22, \bh, \bl
        \op     $f24, $f20, $f22
        CHECK_DOUBLE f24, \rh, \rl
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro OP_DOUBLE_1 op, ah, al, rh, rl, flags=0
        SET_FCSR 0
        DOUBLE  f20, \ah, \al
        \op     $f24, $f20
        CHECK_DOUBLE f24, \rh, \rl
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
#endif
#endif
