/* Overflow in a delay slot: BD, EPC = branch, and the destination stays; Cause.BD is cleared by the next exception. */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 1
        li      $t2, 0x1234
        EXPECT_IN_SLOT EXC_OV, "b 7f", add $t2, $t0, $t1
        CHECK   $t2, 0x1234
        EXPECT_IN_SLOT EXC_OV, "bnez $t0, 7f", addi $t0, $t0, 1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, add $t2, $t0, $t1
TEST_END
