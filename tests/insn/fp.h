/* The shapes of fp_check.h for this processor. */
#ifndef SIMOS_TESTS_INSN_FP_H
#define SIMOS_TESTS_INSN_FP_H

#include "test.h"
#include "fp_check.h"

#define FC_FS       0x01000000

#ifdef __ASSEMBLER__
.macro DOUBLE reg, high, low
        li      $at, \low
        mtc1    $at, $f\reg
        li      $at, \high
        mthc1   $at, $f\reg
.endm
.macro CHECK_DOUBLE reg, high, low
        CHECK_SINGLE \reg, \low
        mfhc1   $s7, $f\reg
        CHECK   $s7, \high
.endm
#endif
#endif
