/* tgeiu: compares with the sign-extended immediate; traps if the condition holds. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        EXPECT  EXC_TR, tgeiu $t0, 0
        li      $t0, 0x00000000
        tgeiu   $t0, 1
        li      $t0, 0x00000001
        EXPECT  EXC_TR, tgeiu $t0, 0
        li      $t0, 0xffffffff
        EXPECT  EXC_TR, tgeiu $t0, 0
        li      $t0, 0x00000000
        tgeiu   $t0, -1
        li      $t0, 0xffffffff
        EXPECT  EXC_TR, tgeiu $t0, -1
        li      $t0, 0x7fffffff
        tgeiu   $t0, -32768
        li      $t0, 0xffff8000
        EXPECT  EXC_TR, tgeiu $t0, -32768
        li      $t0, 0x80000000
        EXPECT  EXC_TR, tgeiu $t0, 32767
        CHECK_STATE S_COUNT, 6
TEST_END
