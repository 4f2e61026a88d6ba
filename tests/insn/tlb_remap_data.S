/* The same page moved from frame to frame by tlbwi, with stores and loads between, in both modes of access. */
#include "test.h"
#define VA 0x00c00000
TEST
        li      $t0, VA
        li      $t3, 64
        li      $t4, FREE_PA
1:      srl     $t1, $t4, 6
        ori     $t1, $t1, 0x1e
        mtc0    $t1, C0_ENTRYLO0
        mtc0    $zero, C0_ENTRYLO1
        mtc0    $zero, C0_PAGEMASK
        mtc0    $t0, C0_ENTRYHI
        li      $t2, 1
        mtc0    $t2, C0_INDEX
        ehb
        tlbwi
        ehb
        lw      $t5, 0($t0)             /* a load enters the page in whatever caches translations */
        sw      $t3, 0($t0)
        lw      $t5, 0($t0)
        CHECK_SAME $t5, $t3
        lui     $t6, 0x8000
        or      $t6, $t6, $t4
        lw      $t5, 0($t6)
        CHECK_SAME $t5, $t3
        addiu   $t4, $t4, 0x1000
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        nop
        UNMAP   1
        EXPECT  EXC_TLBL, lw $t5, 0($t0)
        EXPECT  EXC_TLBS, sw $t5, 0($t0)
        li      $t6, KSEG0(FREE_PA)     /* each frame kept its own */
        li      $t3, 64
2:      lw      $t5, 0($t6)
        bne     $t5, $t3, 3f
        addiu   $t6, $t6, 0x1000
        addiu   $t3, $t3, -1
        bnez    $t3, 2b
        nop
        b       4f
        nop
3:      FAIL
4:      CHECK   $t3, 0
TEST_END
