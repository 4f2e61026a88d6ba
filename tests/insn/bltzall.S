/* bltzall: taken and not taken, the delay slot annulled where not taken; $ra written in both cases. */
#include "test.h"
TEST
        li      $t0, 0x00000000
        li      $t2, 0
        li      $ra, 0
        bltzall $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 2
        CHECK   $ra, 8b
        li      $t0, 0x00000001
        li      $t2, 0
        li      $ra, 0
        bltzall $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 2
        CHECK   $ra, 8b
        li      $t0, 0xffffffff
        li      $t2, 0
        li      $ra, 0
        bltzall $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 5
        CHECK   $ra, 8b
        li      $t0, 0x7fffffff
        li      $t2, 0
        li      $ra, 0
        bltzall $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 2
        CHECK   $ra, 8b
        li      $t0, 0x80000000
        li      $t2, 0
        li      $ra, 0
        bltzall $t0, 1f
        addiu   $t2, $t2, 1
8:
        b       2f
        addiu   $t2, $t2, 2
1:
        addiu   $t2, $t2, 4
2:
        CHECK   $t2, 5
        CHECK   $ra, 8b
TEST_END
