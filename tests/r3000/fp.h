/* The shapes of tests/insn/fp_check.h for the R3010. */
#ifndef SIMOS_TESTS_R3000_FP_H
#define SIMOS_TESTS_R3000_FP_H

#include "test.h"
#include "../insn/fp_check.h"

/* FCR31 */
#define FC_E        0x00020000  /* Unimplemented: a cause without flag and enable */

/* The R3010's interrupt arrives here, as the DECstations wire it. */
#define FP_INTERRUPT 7

#ifdef __ASSEMBLER__
.macro FP_TEST
        TEST
        SET_CP0 C0_STATUS, ST_CU1
        ctc1    $zero, $31
        SETTLE
.endm

.macro DOUBLE reg, high, low
        li      $at, \low
        mtc1    $at, $f\reg
        li      $at, \high
        .word   0x44810000 | (\reg + 1) << 11   /* mtc1 $at, the odd register */
        nop
.endm
.macro CHECK_DOUBLE reg, high, low
        CHECK_SINGLE \reg, \low
        .word   0x44170000 | (\reg + 1) << 11   /* mfc1 $s7, the odd register */
        nop
        CHECK   $s7, \high
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
