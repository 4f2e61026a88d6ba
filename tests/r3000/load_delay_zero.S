/* A load into $zero loads nothing, in its slot and after it; but its exceptions are raised. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        lw      $zero, 0($t0)
        move    $t2, $zero
        move    $t3, $zero
        CHECK   $t2, 0
        CHECK   $t3, 0
        EXPECT  EXC_ADEL, lw $zero, 1($t0)
        li      $t0, 0x00700000
        EXPECT  EXC_TLBL, lb $zero, 1($t0)
TEST_END
