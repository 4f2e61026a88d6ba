/* BadVAddr keeps the last address at fault over exceptions that have none: Sys, Bp, RI, Ov, CpU. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lw $t1, 1($t0)
        EXPECT_AT EXC_SYS, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, syscall
        EXPECT_AT EXC_BP, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, break
        EXPECT_AT EXC_RI, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, .word 0x0000003f
        li      $t1, 0x7fffffff
        EXPECT_AT EXC_OV, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, add $t1, $t1, $t1
        EXPECT_AT EXC_CPU, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, mfc1 $t1, $f0
TEST_END
