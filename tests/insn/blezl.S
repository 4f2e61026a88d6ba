/* blezl: taken and not taken, the delay slot annulled where not taken. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        li      $t2, 0
        blezl   $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 5
        li      $t0, 0x00000001
        li      $t2, 0
        blezl   $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 2
        li      $t0, 0xffffffff
        li      $t2, 0
        blezl   $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 5
        li      $t0, 0x7fffffff
        li      $t2, 0
        blezl   $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 2
        li      $t0, 0x80000000
        li      $t2, 0
        blezl   $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 5
TEST_END
