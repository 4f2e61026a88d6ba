/* Trap, reserved instruction and unusable coprocessor in delay slots. */
#include "test.h"
TEST
        li      $t0, 5
        EXPECT_IN_SLOT EXC_TR, "b 7f", teq $t0, $t0
        EXPECT_IN_SLOT EXC_RI, "b 7f", .word 0x0000003f
        EXPECT_IN_SLOT EXC_CPU, "b 7f", mfc1 $t0, $f0
        bnez    $t0, 1f
        tne     $t0, $t0
        FAIL
1:      CHECK   $t0, 5
TEST_END
