/* The shape of the programs about multiplication and division. */
#ifndef SIMOS_TESTS_R3000_MULDIV_H
#define SIMOS_TESTS_R3000_MULDIV_H

#include "test.h"

#ifdef __ASSEMBLER__
/* OP $t0, $t1 into HI and LO; two instructions stand between a read of them and what writes them next. */
.macro TO_HI_LO op, a, b, hi, lo
        li      $t0, \a
        li      $t1, \b
        \op     $t0, $t1
        mfhi    $t2
        mflo    $t3
        nop
        nop
        CHECK   $t2, \hi
        CHECK   $t3, \lo
.endm
#endif

#endif
