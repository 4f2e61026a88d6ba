/*
 * Shapes of the tests of floating-point instructions, whatever processor they are for: this suite and tests/r3000. $f20,
 * $f22 hold operands, $f24 results; a double is a pair of registers, its low word in the even one. An fp.h defines
 * DOUBLE and CHECK_DOUBLE.
 */
#ifndef SIMOS_TESTS_INSN_FP_CHECK_H
#define SIMOS_TESTS_INSN_FP_CHECK_H

/* FCSR */
#define FC_I        0x00000004
#define FC_U        0x00000008
#define FC_O        0x00000010
#define FC_Z        0x00000020
#define FC_V        0x00000040
#define FC_ENABLE(flag) ((flag) << 5)
#define FC_CAUSE(flag)  ((flag) << 10)
#define FC_FLAGS    0x0000007c
#define FC_CAUSES   0x0003f000
#define FC_C        0x00800000
#define RM_NEAREST  0
#define RM_ZERO     1
#define RM_UP       2
#define RM_DOWN     3

#ifdef __ASSEMBLER__
.macro SET_FCSR value:vararg
        li      $at, \value
        ctc1    $at, $31
        SETTLE
.endm
/* FCSR in the bits of MASK. */
.macro CHECK_FCSR mask, value:vararg
        cfc1    $s7, $31
        li      $at, \mask
        and     $s7, $s7, $at
        CHECK   $s7, \value
.endm

.macro SINGLE reg, bits
        li      $at, \bits
        mtc1    $at, $f\reg
        LOAD_SLOT
.endm
.macro CHECK_SINGLE reg, bits
        mfc1    $s7, $f\reg
        LOAD_SLOT
        CHECK   $s7, \bits
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
.macro DOUBLE_1 op, ah, al, rh, rl, flags=0, mode=0
        SET_FCSR \mode
        DOUBLE  20, \ah, \al
        \op     $f24, $f20
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
#endif
#endif
