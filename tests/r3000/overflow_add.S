/* add raises Ov when the sum does not fit 32 bits, and then leaves its destination, also where that is an operand. */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 1
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        li      $t0, 0x80000000
        li      $t1, 0xffffffff
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t0, $t0, $t1
        CHECK   $t0, 0x80000000
        EXPECT  EXC_OV, add $t1, $t0, $t1
        CHECK   $t1, 0xffffffff
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        add     $t2, $t0, $t1
        CHECK   $t2, 0xffffffff
        li      $t0, 0x3fffffff
        li      $t1, 0x40000000
        add     $t2, $t0, $t1
        CHECK   $t2, 0x7fffffff
        CHECK_STATE S_COUNT, 4
TEST_END
