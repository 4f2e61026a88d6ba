/* sub: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t1, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x00000000
        li      $t1, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t1, 0xffffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, sub $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t1, 1
        EXPECT  EXC_OV, sub $t0, $t0, $t1
        CHECK   $t0, 0x80000000
        EXPECT  EXC_OV, sub $zero, $t0, $t1
TEST_END
