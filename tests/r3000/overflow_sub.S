/* sub raises Ov when the difference does not fit 32 bits, and then leaves its destination.
 * gxemul: no (it sees no overflow of 0 - -2^31) */
#include "test.h"
TEST
        li      $t0, 0x80000000
        li      $t1, 1
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $zero, $t0
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t1, 0xffffffff
        EXPECT  EXC_OV, sub $t0, $t0, $t1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, sub $t1, $t0, $t1
        CHECK   $t1, 0xffffffff
        li      $t0, 0x80000000
        sub     $t2, $t0, $t0
        CHECK   $t2, 0
        li      $t1, 0xffffffff
        sub     $t2, $t1, $t0
        CHECK   $t2, 0x7fffffff
        CHECK_STATE S_COUNT, 4
TEST_END
