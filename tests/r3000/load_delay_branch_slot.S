/* A load in the delay slot of a branch: the first instruction at the target is its slot and sees the old value.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t2, 0x22
        b       1f
        lw      $t2, 0($t0)
        FAIL
1:      move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x22
        CHECK   $t4, 0x11
        li      $t2, 0x22
        bnez    $zero, 2f               /* not taken: the next instruction is */
        lw      $t2, 0($t0)
        move    $t3, $t2
2:      move    $t4, $t2
        CHECK   $t3, 0x22
        CHECK   $t4, 0x11
        li      $t2, 0x22
        la      $t5, 3f
        jr      $t5
        lw      $t2, 0($t0)
        FAIL
3:      move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x22
        CHECK   $t4, 0x11
TEST_END
