/* Shapes of the programs about the R3010. $f20, $f22 hold operands, $f24 results; a double is a pair of registers,
 * its low word in the even one. */
#ifndef SIMOS_TESTS_R3000_FP_H
#define SIMOS_TESTS_R3000_FP_H

#include "test.h"

/* FCR31 */
#define FC_I        0x00000004
#define FC_U        0x00000008
#define FC_O        0x00000010
#define FC_Z        0x00000020
#define FC_V        0x00000040
#define FC_ENABLE(flag) ((flag) << 5)
#define FC_CAUSE(flag)  ((flag) << 10)
#define FC_E        0x00020000  /* Unimplemented: a cause without flag and enable */
#define FC_FLAGS    0x0000007c
#define FC_CAUSES   0x0003f000
#define FC_C        0x00800000
#define RM_NEAREST  0
#define RM_ZERO     1
#define RM_UP       2
#define RM_DOWN     3

/* The R3010's interrupt arrives here, as the DECstations wire it. */
#define FP_INTERRUPT 7

#ifdef __ASSEMBLER__
.macro FP_TEST
        TEST
        SET_CP0 C0_STATUS, ST_CU1
        ctc1    $zero, $31
        SETTLE
.endm

.macro SET_FCSR value:vararg
        li      $at, \value
        ctc1    $at, $31
        SETTLE
.endm
/* FCR31 in the bits of MASK. */
.macro CHECK_FCSR mask, value:vararg
        cfc1    $s7, $31
        li      $at, \mask
        and     $s7, $s7, $at
        CHECK   $s7, \value
.endm

.macro SINGLE reg, bits
        li      $at, \bits
        mtc1    $at, $f\reg
        nop
.endm
.macro DOUBLE reg, high, low
        li      $at, \low
        mtc1    $at, $f\reg
        li      $at, \high
        .word   0x44810000 | (\reg + 1) << 11   /* mtc1 $at, the odd register */
        nop
.endm
.macro CHECK_SINGLE reg, bits
        mfc1    $s7, $f\reg
        nop
        CHECK   $s7, \bits
.endm
.macro CHECK_DOUBLE reg, high, low
        CHECK_SINGLE \reg, \low
        .word   0x44170000 | (\reg + 1) << 11   /* mfc1 $s7, the odd register */
        nop
        CHECK   $s7, \high
.endm

/* OP $f24, $f20, $f22 with the flags it raises; enabled exceptions: none. MODE is the rounding mode. */
.macro SINGLE_2 op, a, b, result, flags=0, mode=0
        SET_FCSR \mode
        SINGLE  20, \a
        SINGLE  22, \b
        \op     $f24, $f20, $f22
        CHECK_SINGLE 24, \result
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro SINGLE_1 op, a, result, flags=0, mode=0
        SET_FCSR \mode
        SINGLE  20, \a
        \op     $f24, $f20
        CHECK_SINGLE 24, \result
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro DOUBLE_2 op, ah, al, bh, bl, rh, rl, flags=0, mode=0
        SET_FCSR \mode
        DOUBLE  20, \ah, \al
        DOUBLE  22, \bh, \bl
        \op     $f24, $f20, $f22
        CHECK_DOUBLE 24, \rh, \rl
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
/* From a double to a word or single, and back. */
.macro FROM_DOUBLE op, ah, al, result, flags=0, mode=0
        SET_FCSR \mode
        DOUBLE  20, \ah, \al
        \op     $f24, $f20
        CHECK_SINGLE 24, \result
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm
.macro TO_DOUBLE op, a, rh, rl, flags=0, mode=0
        SET_FCSR \mode
        SINGLE  20, \a
        \op     $f24, $f20
        CHECK_DOUBLE 24, \rh, \rl
        CHECK_FCSR FC_FLAGS | FC_CAUSES, (\flags) | FC_CAUSE(\flags)
.endm

/* INSN sets FCR31's causes to CAUSE, keeps $f24, and requests the R3010's interrupt, which is masked here. */
.macro REQUESTS cause, insn:vararg
        SET_FCSR 0
        SINGLE  24, 0x5a5a5a5a
        SINGLE  25, 0x5a5a5a5a
        \insn
        SETTLE
        CHECK_FCSR FC_FLAGS | FC_CAUSES, \cause
        CHECK_DOUBLE 24, 0x5a5a5a5a, 0x5a5a5a5a
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        SET_FCSR 0
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
.endm
#endif

#endif
