/* Entries match under their own ASID only; the same page under two ASIDs is two frames; a change of EntryHi.ASID takes
 * effect at once, back and forth. */
#include "test.h"
#define VA 0x00c00000
TEST
        MAP     1, VA | 5, LO(FREE_PA, LO_RW), 0
        MAP     2, VA | 6, LO(FREE_PA + 0x1000, LO_RW), 0
        li      $t0, VA
        SET_ASID 5
        li      $t1, 0x55
        sw      $t1, 0($t0)
        SET_ASID 6
        li      $t1, 0x66
        sw      $t1, 0($t0)
        lw      $t1, 0($t0)
        CHECK   $t1, 0x66
        SET_ASID 5
        lw      $t1, 0($t0)
        CHECK   $t1, 0x55
        SET_ASID 7
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        mfc0    $t2, C0_ENTRYHI
        CHECK   $t2, VA | 7
        SET_ASID 6
        lw      $t1, 0($t0)
        CHECK   $t1, 0x66
        li      $t0, KSEG0(FREE_PA)
        lw      $t1, 0($t0)
        CHECK   $t1, 0x55
        lw      $t1, 0x1000($t0)
        CHECK   $t1, 0x66
        li      $t0, VA                 /* a thousand switches */
        li      $t3, 500
        li      $t4, 0
1:      SET_ASID 5
        lw      $t1, 0($t0)
        SET_ASID 6
        lw      $t2, 0($t0)
        addu    $t4, $t4, $t1
        addu    $t4, $t4, $t2
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        nop
        CHECK   $t4, 500 * (0x55 + 0x66)
TEST_END
