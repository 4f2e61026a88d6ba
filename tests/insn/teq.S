/* teq: traps if the condition holds; otherwise does nothing. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        li      $t1, 0x00000000
        EXPECT  EXC_TR, teq $t0, $t1
        li      $t0, 0x00000000
        li      $t1, 0x00000001
        teq     $t0, $t1
        li      $t0, 0x00000001
        li      $t1, 0x00000000
        teq     $t0, $t1
        li      $t0, 0xffffffff
        li      $t1, 0x00000000
        teq     $t0, $t1
        li      $t0, 0x00000000
        li      $t1, 0xffffffff
        teq     $t0, $t1
        li      $t0, 0x80000000
        li      $t1, 0x7fffffff
        teq     $t0, $t1
        li      $t0, 0x7fffffff
        li      $t1, 0x80000000
        teq     $t0, $t1
        CHECK_STATE S_COUNT, 1
TEST_END
