/* Shapes of the programs about instructions that the R3000 does not have: each raises RI through the general vector, and
 * neither the register $t1 nor the word at $t0 changes. */
#ifndef SIMOS_TESTS_R3000_RESERVED_H
#define SIMOS_TESTS_R3000_RESERVED_H

#include "test.h"

#ifdef __ASSEMBLER__
        .set    reserved, 0
.macro RESERVED_TEST
        TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
.endm
.macro RESERVED word
        EXPECT  EXC_RI, .word \word
        .set    reserved, reserved + 1
.endm
.macro RESERVED_TEST_END
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        CHECK_STATE S_COUNT, reserved
        TEST_END
.endm
#endif

#endif
