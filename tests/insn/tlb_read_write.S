/* tlbwi, tlbr: every entry keeps what was written to it, G only where both halves have it. */
#include "test.h"
TEST
        li      $t0, 0
1:      sll     $t1, $t0, 20            /* VPN2 by index, ASID by index */
        or      $t1, $t1, $t0
        mtc0    $t1, C0_ENTRYHI
        sll     $t1, $t0, 8
        ori     $t1, $t1, 0x1e          /* C 3, D, V */
        mtc0    $t1, C0_ENTRYLO0
        ori     $t1, $t1, 0x21          /* C 7, G */
        mtc0    $t1, C0_ENTRYLO1
        mtc0    $zero, C0_PAGEMASK
        mtc0    $t0, C0_INDEX
        ehb
        tlbwi
        addiu   $t0, $t0, 1
        li      $t2, 16
        bne     $t0, $t2, 1b
        nop
        mtc0    $zero, C0_ENTRYHI
        li      $t0, 15
2:      mtc0    $t0, C0_INDEX
        ehb
        tlbr
        ehb
        sll     $t1, $t0, 20
        or      $t1, $t1, $t0
        mfc0    $t2, C0_ENTRYHI
        CHECK_SAME $t1, $t2
        sll     $t1, $t0, 8
        ori     $t1, $t1, 0x1e
        mfc0    $t2, C0_ENTRYLO0
        CHECK_SAME $t1, $t2
        ori     $t1, $t1, 0x20
        mfc0    $t2, C0_ENTRYLO1
        CHECK_SAME $t1, $t2
        bnez    $t0, 2b
        addiu   $t0, $t0, -1
TEST_END
