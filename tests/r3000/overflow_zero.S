/* An overflow into $zero raises Ov all the same: the sum is nobody's, the exception is.
 * gxemul: no (it drops instructions whose destination is $zero) */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        EXPECT  EXC_OV, add $zero, $t0, $t0
        EXPECT  EXC_OV, addi $zero, $t0, 1
        EXPECT  EXC_OV, sub $zero, $t1, $t0
        CHECK   $zero, 0
TEST_END
