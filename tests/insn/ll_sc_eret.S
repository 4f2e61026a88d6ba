/* eret breaks the link: an exception between ll and sc makes sc fail, whether or not it returns to the same place. */
#include "test.h"
TEST
        la      $t0, word
        HOOK    skip
        ll      $t1, 0($t0)
        syscall
        li      $t2, 9
        sc      $t2, 0($t0)
        CHECK   $t2, 0
        lw      $t1, 0($t0)
        CHECK   $t1, 5
        CHECK_STATE S_COUNT, 1
        ll      $t1, 0($t0)             /* a fresh ll makes it work again */
        li      $t2, 9
        sc      $t2, 0($t0)
        CHECK   $t2, 1
        b       end
        nop
skip:   mfc0    $k1, C0_EPC
        addiu   $k1, $k1, 4
        mtc0    $k1, C0_EPC
        ehb
        eret
end:
TEST_END
        .data
        .balign 32
word:   .word   5
