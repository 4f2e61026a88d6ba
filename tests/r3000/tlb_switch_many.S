/* 64 address spaces, each with its own frame under the same page, all in the TLB at once under their ASIDs: a switch is a
 * write to EntryHi. */
#include "test.h"
TEST
        li      $s0, 0                  /* ASID and entry */
        li      $t1, KSEG1(FREE_PA)
        li      $t2, LO(FREE_PA, LO_RW)
        li      $t3, 0x00700000
1:      sw      $s0, 0x40($t1)
        sll     $t4, $s0, 6
        or      $t4, $t4, $t3
        mtc0    $t4, C0_ENTRYHI
        mtc0    $t2, C0_ENTRYLO
        sll     $t4, $s0, 8
        mtc0    $t4, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
        addiu   $t1, $t1, 0x1000
        addiu   $t2, $t2, 0x1000
        addiu   $s0, $s0, 1
        slti    $t4, $s0, 64
        bnez    $t4, 1b
        nop
        li      $s1, 320
        li      $s0, 0
2:      sll     $t4, $s0, 6
        mtc0    $t4, C0_ENTRYHI
        SETTLE
        lw      $t5, 0x40($t3)
        nop
        CHECK_SAME $t5, $s0
        addiu   $s0, $s0, 37
        andi    $s0, $s0, 63
        addiu   $s1, $s1, -1
        bnez    $s1, 2b
        nop
        CHECK_STATE S_COUNT, 0
TEST_END
