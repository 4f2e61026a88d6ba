/* All entries in use at once: each of their pages works, by load, store and fetch, and the page of none misses. */
#include "test.h"
#define VA 0x10000000
TEST
        LAST_ENTRY $s0
        move    $t0, $s0
1:      mtc0    $t0, C0_INDEX
        sll     $t1, $t0, 13
        lui     $t2, VA >> 16
        addu    $t1, $t1, $t2
        mtc0    $t1, C0_ENTRYHI
        sll     $t1, $t0, 13
        lui     $t2, FREE_PA >> 16
        addu    $t1, $t1, $t2
        srl     $t1, $t1, 6
        ori     $t1, $t1, 0x1e
        mtc0    $t1, C0_ENTRYLO0
        addiu   $t1, $t1, 0x40
        mtc0    $t1, C0_ENTRYLO1
        mtc0    $zero, C0_PAGEMASK
        ehb
        tlbwi
        bnez    $t0, 1b
        addiu   $t0, $t0, -1
        li      $t1, VA                 /* all pages, twice */
        li      $s1, 2
2:      sll     $t3, $s0, 1
        addiu   $t3, $t3, 1
        li      $t1, VA
3:      sw      $t1, 0x123 * 4($t1)
        lw      $t4, 0x123 * 4($t1)
        CHECK_SAME $t4, $t1
        addiu   $t1, $t1, 0x1000
        bnez    $t3, 3b
        addiu   $t3, $t3, -1
        addiu   $s1, $s1, -1
        bnez    $s1, 2b
        nop
        EXPECT  EXC_TLBL, lw $t4, 0($t1)
        CHECK_STATE S_COUNT, 1
        li      $t2, KSEG0(FREE_PA)
        lw      $t4, 0x123 * 4($t2)
        CHECK   $t4, VA
        lw      $t4, 0x1000 + 0x123 * 4($t2)
        CHECK   $t4, VA + 0x1000
TEST_END
