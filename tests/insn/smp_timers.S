/* Each of four processors takes its own timer interrupts. simos: --cpus 4 --set machine.quantum=50 */
/* qemu: no */
#include "test.h"
.macro RUN
        ROUTE_TIMER
        HOOK    taken
        li      $s0, 0
        mfc0    $t0, C0_COUNT
        addiu   $t0, $t0, 500
        mtc0    $t0, C0_COMPARE
        SET_STATUS ST_IE | ST_IM7
1:      sltiu   $t0, $s0, 50
        bnez    $t0, 1b
        nop
        SET_STATUS 0
.endm
TEST
        START_OTHER 1
        START_OTHER 2
        START_OTHER 3
        RUN
        CHECK   $s0, 50
        la      $t0, done
        li      $t2, 3
1:      lw      $t1, 0($t0)
        bne     $t1, $t2, 1b
        nop
        CHECK_STATE S_COUNT, 50
TEST_END
taken:  mfc0    $k1, C0_COUNT
        addiu   $k1, $k1, 500
        mtc0    $k1, C0_COMPARE
        addiu   $s0, $s0, 1
        ehb
        eret
        .globl  test_other
test_other:
        RUN
        CHECK   $s0, 50
        la      $t0, done
2:      ll      $t1, 0($t0)
        addiu   $t1, $t1, 1
        sc      $t1, 0($t0)
        beqz    $t1, 2b
        nop
3:      b       3b
        nop
        .data
        .balign 32
done:   .word   0
