/* Backward branches: a loop, a loop whose counter changes in the delay slot, and the longest distances. */
#include "test.h"
TEST
        li      $t0, 1000
        li      $t1, 0
1:      addiu   $t0, $t0, -1
        bnez    $t0, 1b
        addiu   $t1, $t1, 3
        CHECK   $t1, 3000

        li      $t0, 10
        li      $t1, 0
1:      addiu   $t1, $t1, 1
        bnezl   $t0, 1b
        addiu   $t0, $t0, -1
        CHECK   $t0, 0
        CHECK   $t1, 11

        b       far                     /* almost as far as a branch reaches */
        li      $t0, 1
back:   CHECK   $t0, 3
        b       end
        nop
        .org    back - test_main + (0x20000 - 0x1000), 0
far:    addiu   $t0, $t0, 1
        b       back
        addiu   $t0, $t0, 1
end:
TEST_END
