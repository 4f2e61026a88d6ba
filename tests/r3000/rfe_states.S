/* rfe pops the stack of Status: current <- previous <- old, and old keeps its value. All 64 states of which the
 * result is kernel mode with interrupts off or on; the other bits of Status keep theirs.
 * gxemul: no (its rfe clears the old pair) */
#include "test.h"
TEST
        li      $s0, 0
1:      li      $t0, ST_CU1 | ST_IM(3)
        or      $t0, $t0, $s0
        mtc0    $t0, C0_STATUS
        SETTLE
        rfe
        SETTLE
        mfc0    $t1, C0_STATUS
        andi    $t2, $s0, 0x30          /* expected */
        srl     $t3, $s0, 2
        or      $t2, $t2, $t3
        li      $t3, ST_CU1 | ST_IM(3)
        or      $t2, $t2, $t3
        mtc0    $zero, C0_STATUS
        SETTLE
        li      $t3, ST_STACK | ST_CU1 | 0xff00
        and     $t1, $t1, $t3
        CHECK_SAME $t1, $t2
        addiu   $s0, $s0, 1             /* the next state without KUc and KUp */
2:      andi    $t0, $s0, ST_KUC | ST_KUP
        beqz    $t0, 3f
        nop
        b       2b
        addiu   $s0, $s0, 1
3:      slti    $t0, $s0, 64
        bnez    $t0, 1b
        nop
TEST_END
