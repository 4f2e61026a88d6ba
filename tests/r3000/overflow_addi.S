/* addi raises Ov when the sum with its sign-extended immediate does not fit 32 bits, and then leaves its destination.
 * gxemul: no (it sees no overflow of addi upwards) */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t2, $t0, 1
        CHECK   $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, addi $t0, $t0, 0x7fff
        CHECK   $t0, 0x7fffffff
        li      $t0, 0x80000000
        EXPECT  EXC_OV, addi $t2, $t0, -1
        EXPECT  EXC_OV, addi $t2, $t0, -0x8000
        CHECK   $t2, 0x5a5a5a5a
        addi    $t2, $t0, 0x7fff
        CHECK   $t2, 0x80007fff
        li      $t0, 0x80008000
        addi    $t2, $t0, -0x8000
        CHECK   $t2, 0x80000000
        CHECK_STATE S_COUNT, 4
TEST_END
