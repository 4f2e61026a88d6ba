/* The shapes of alu_check.h for this processor. */
#ifndef SIMOS_TESTS_INSN_ALU_H
#define SIMOS_TESTS_INSN_ALU_H

#include "test.h"
#include "alu_check.h"

/* OP $t2, $t0, POS, SIZE, with OLD in $t2 before */
.macro FIELD op, a, pos, size, result, old=0x5a5a5a5a
        li      $t0, \a
        li      $t2, \old
        \op     $t2, $t0, \pos, \size
        CHECK   $t2, \result
.endm
#endif
