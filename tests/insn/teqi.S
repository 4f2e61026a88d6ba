/* teqi: compares with the sign-extended immediate; traps if the condition holds. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        EXPECT  EXC_TR, teqi $t0, 0
        li      $t0, 0x00000000
        teqi    $t0, 1
        li      $t0, 0x00000001
        teqi    $t0, 0
        li      $t0, 0xffffffff
        teqi    $t0, 0
        li      $t0, 0x00000000
        teqi    $t0, -1
        li      $t0, 0xffffffff
        EXPECT  EXC_TR, teqi $t0, -1
        li      $t0, 0x7fffffff
        teqi    $t0, -32768
        li      $t0, 0xffff8000
        EXPECT  EXC_TR, teqi $t0, -32768
        li      $t0, 0x80000000
        teqi    $t0, 32767
        CHECK_STATE S_COUNT, 3
TEST_END
