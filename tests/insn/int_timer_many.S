/* A thousand timer interrupts at irregular distances in a loop of branches and delay slots: each leaves a consistent
 * EPC and BD (never the slot's own address), and the loop's sums come out as if there had been none.
 * simos: --set mxs.graduate_width=1 */
#include "test.h"
TEST
        ROUTE_TIMER
        HOOK    taken
        li      $s0, 0                  /* interrupts */
        li      $s1, 0                  /* with BD */
        li      $s2, 0                  /* bad ones */
        li      $s3, 0x12345            /* random numbers */
        li      $t0, 0
        li      $t1, 0
        li      $t2, 0
        mfc0    $t3, C0_COUNT
        addiu   $t3, $t3, 100
        mtc0    $t3, C0_COMPARE
        SET_STATUS ST_IE | ST_IM7
loop:   addiu   $t0, $t0, 1
        b       1f
slot1:  addiu   $t1, $t1, 1
        addiu   $t1, $t1, 1000
1:      sltiu   $t4, $s0, 1000
        bnezl   $t4, 2f
slot2:  addiu   $t2, $t2, 1
        b       3f
slot3:  nop
2:      jal     4f
slot4:  addiu   $t5, $t0, 0
        b       loop
slot5:  nop
4:      jr      $ra
slot6:  addiu   $t6, $t5, 0
3:      SET_STATUS 0
        CHECK   $s2, 0
        CHECK_SAME $t0, $t1
        addiu   $t2, $t2, 1
        CHECK_SAME $t0, $t2
        addiu   $t5, $t5, 1
        CHECK_SAME $t0, $t5
        CHECK   $s0, 1000
#ifndef QEMU
        sltiu   $t7, $s1, 100           /* slots are two fifths of what executes */
        CHECK   $t7, 0
#endif
        b       end
        nop

.macro NOT_AT label
        la      $at, \label
        beq     $at, $s4, bad
        nop
.endm
.macro BRANCH_AT label
        la      $at, \label - 4
        beq     $at, $s4, good
        nop
.endm
taken:  lw      $s4, S_EPC($k0)
        lw      $k1, S_CAUSE($k0)
        addiu   $s0, $s0, 1
        bgez    $k1, 1f
        srl     $k1, $k1, 31
        addu    $s1, $s1, $k1
        BRANCH_AT slot1
        BRANCH_AT slot2
        BRANCH_AT slot3
        BRANCH_AT slot4
        BRANCH_AT slot5
        BRANCH_AT slot6
        b       bad
        nop
1:      NOT_AT  slot1
        NOT_AT  slot2
        NOT_AT  slot3
        NOT_AT  slot4
        NOT_AT  slot5
        NOT_AT  slot6
        b       good
        nop
bad:    addiu   $s2, $s2, 1
good:   li      $at, 1103515245
        mul     $s3, $s3, $at
        addiu   $s3, $s3, 12345
        ext     $at, $s3, 16, 6
        addiu   $at, $at, 20
        mfc0    $k1, C0_COUNT
        addu    $k1, $k1, $at
        mtc0    $k1, C0_COMPARE
        ehb
        eret
end:
TEST_END
