/* A load in the slot of a call, a return, a jump by register and a backward branch delays the first instruction there.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $s0, 200                /* often, so that it is translated and predicted */
again:  li      $t2, 0x33
        jal     first
        lw      $t2, 0($t0)
        move    $t5, $t6                /* the slot of the load in the return's slot */
        move    $t7, $t6
        CHECK   $t3, 0x33
        CHECK   $t4, 0x11
        CHECK   $t5, 0x44
        CHECK   $t7, 0x11
        la      $t8, second
        li      $t2, 0x33
        jalr    $t8
        lw      $t2, 0($t0)
        CHECK   $t3, 0x33
        CHECK   $t4, 0x11
        li      $t2, 0x33
        li      $t9, 3
2:      move    $t3, $t2                /* first what was before the loop, then what the slot loads */
        li      $t2, 0x55
        addiu   $t9, $t9, -1
        bnez    $t9, 2b
        lw      $t2, 0($t0)
        CHECK   $t3, 0x55
        addiu   $s0, $s0, -1
        bnez    $s0, again
        nop
        b       9f
        nop
first:  move    $t3, $t2
        move    $t4, $t2
        li      $t6, 0x44
        jr      $ra
        lw      $t6, 0($t0)
second: move    $t3, $t2
        jr      $ra
        move    $t4, $t2
9:
TEST_END
