/* An atomic increment as compilers write it, a thousand times, with the retry branch. */
#include "test.h"
TEST
        la      $t0, word
        li      $t3, 1000
1:      ll      $t1, 0($t0)
        addiu   $t1, $t1, 3
        sc      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        sync
        lw      $t1, 0($t0)
        CHECK   $t1, 3005
TEST_END
        .data
        .balign 32
word:   .word   5
