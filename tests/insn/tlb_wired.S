/* Random stays between Wired and the last entry, takes every value there, and tlbwr uses it; writing Wired counts. */
#include "test.h"
TEST
        LAST_ENTRY $s0
        addiu   $t0, $s0, -3
        mtc0    $t0, C0_WIRED
        ehb
        mfc0    $t1, C0_WIRED
        CHECK_SAME $t0, $t1
        li      $t2, 0                  /* set of values seen */
        li      $t3, 400
        li      $t9, 0x00c00000
1:      mtc0    $t9, C0_ENTRYHI
        mtc0    $zero, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        mtc0    $zero, C0_PAGEMASK
        ehb
        tlbwr
        ehb
        tlbp
        ehb
        mfc0    $t4, C0_INDEX
        subu    $t5, $t4, $t0
        sltiu   $t6, $t5, 4
        bnez    $t6, 2f
        li      $t7, 1
        FAIL
2:      sllv    $t7, $t7, $t5
        or      $t2, $t2, $t7
        mfc0    $t4, C0_RANDOM
        subu    $t5, $t4, $t0
        sltiu   $t6, $t5, 4
        bnez    $t6, 3f
        nop
        FAIL
3:      lui     $t8, 1
        addu    $t9, $t9, $t8
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        nop
        CHECK   $t2, 15
TEST_END
