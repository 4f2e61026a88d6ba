/* Shapes of the programs about alignment: in $t0 the address of two words of 0x11223344, in $t1 another value. */
#ifndef SIMOS_TESTS_R3000_ADDRESS_H
#define SIMOS_TESTS_R3000_ADDRESS_H

#include "test.h"

#ifdef __ASSEMBLER__
.macro ADDRESS_TEST
        TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11223344
        sw      $t2, 0($t0)
        sw      $t2, 4($t0)
        li      $t1, 0x5a5a5a5a
.endm
/* OP $t1, OFFSET($t0) raises CODE for its address and leaves $t1. */
.macro MISALIGNED code, op, offset
        EXPECT_AT \code, VECTOR_GENERAL, KSEG0(FREE_PA) + \offset, \op $t1, \offset($t0)
        CHECK   $t1, 0x5a5a5a5a
.endm
#endif

#endif
