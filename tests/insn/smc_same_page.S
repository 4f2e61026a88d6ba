/* A loop that rewrites an instruction of its own page on each turn, many lines ahead of the store. */
#include "test.h"
TEST
        li      $t3, 0
        li      $t4, 0
        la      $t0, patch
        b       1f
        nop
        .balign 4096
1:      li      $t1, 0x24020000         /* addiu $v0, $zero, N */
        addu    $t1, $t1, $t3
        sw      $t1, 0($t0)
        synci   0($t0)
        sync
        la      $t2, 2f
        jr.hb   $t2
        nop
        .balign 512
2:
patch:  addiu   $v0, $zero, -1
        addu    $t4, $t4, $v0
        addiu   $t3, $t3, 1
        li      $t5, 30
        bne     $t3, $t5, 1b
        nop
        CHECK   $t4, 29 * 30 / 2
TEST_END
