/* tltu: traps if the condition holds; otherwise does nothing. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        li      $t1, 0x00000000
        tltu    $t0, $t1
        li      $t0, 0x00000000
        li      $t1, 0x00000001
        EXPECT  EXC_TR, tltu $t0, $t1
        li      $t0, 0x00000001
        li      $t1, 0x00000000
        tltu    $t0, $t1
        li      $t0, 0xffffffff
        li      $t1, 0x00000000
        tltu    $t0, $t1
        li      $t0, 0x00000000
        li      $t1, 0xffffffff
        EXPECT  EXC_TR, tltu $t0, $t1
        li      $t0, 0x80000000
        li      $t1, 0x7fffffff
        tltu    $t0, $t1
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        EXPECT  EXC_TR, tltu $t0, $t1
        CHECK_STATE S_COUNT, 3
TEST_END
