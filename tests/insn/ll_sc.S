/* ll, sc: succeeds, stores, returns 1; the second sc without an ll fails, stores nothing, returns 0. */
#include "test.h"
TEST
        la      $t0, word
        ll      $t1, 0($t0)
        CHECK   $t1, 5
        li      $t2, 77
        sc      $t2, 0($t0)
        CHECK   $t2, 1
        lw      $t1, 0($t0)
        CHECK   $t1, 77
        li      $t2, 88
        sc      $t2, 0($t0)
        CHECK   $t2, 0
        lw      $t1, 0($t0)
        CHECK   $t1, 77
        ll      $t1, -4($t0)            /* a link per ll: the last counts; $zero as source and as flag */
        ll      $t1, 0($t0)
        sc      $zero, 0($t0)
        CHECK   $zero, 0
        lw      $t1, 0($t0)
        CHECK   $t1, 0
        ll      $t1, 0($t0)
        addiu   $t1, $t1, 1
        sc      $t1, 0($t0)
        CHECK   $t1, 1
        lw      $t1, 0($t0)
        CHECK   $t1, 1
TEST_END
        .data
        .balign 32
        .word   1
word:   .word   5
