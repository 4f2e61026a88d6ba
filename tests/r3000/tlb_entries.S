/* The TLB has 64 entries of one page each: all are written with different pages, and each translates its own page. */
#include "test.h"
TEST
        li      $s0, 0
1:      sll     $t0, $s0, 12
        lui     $t1, 0x0100             /* page 0x01000000 + entry -> frame FREE_PA + entry */
        addu    $t1, $t1, $t0
        mtc0    $t1, C0_ENTRYHI
        li      $t2, KSEG1(FREE_PA)
        addu    $t2, $t2, $t0
        sw      $s0, 4($t2)
        li      $t2, LO(FREE_PA, LO_RW)
        addu    $t2, $t2, $t0
        mtc0    $t2, C0_ENTRYLO
        sll     $t2, $s0, 8
        mtc0    $t2, C0_INDEX
        SETTLE
        tlbwi
        SETTLE
        addiu   $s0, $s0, 1
        slti    $t0, $s0, 64
        bnez    $t0, 1b
        nop
        li      $s0, 0
2:      sll     $t0, $s0, 12
        lui     $t1, 0x0100
        addu    $t1, $t1, $t0
        lw      $t2, 4($t1)
        nop
        CHECK_SAME $t2, $s0
        addiu   $s0, $s0, 1
        slti    $t0, $s0, 64
        bnez    $t0, 2b
        nop
        CHECK_STATE S_COUNT, 0
TEST_END
