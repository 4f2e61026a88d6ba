/* add: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, 0x00000001
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t1, 0xffffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x80000000
        li      $t1, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t1, 0x7fffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x40000000
        li      $t1, 0x40000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0xc0000000
        li      $t1, 0xbfffffff
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0xffffffff
        li      $t1, 0x80000000
        li      $t2, 0x5a5a5a5a
        EXPECT  EXC_OV, add $t2, $t0, $t1
        CHECK   $t2, 0x5a5a5a5a
        li      $t0, 0x7fffffff
        li      $t1, 1
        EXPECT  EXC_OV, add $t0, $t0, $t1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, add $zero, $t0, $t1
TEST_END
