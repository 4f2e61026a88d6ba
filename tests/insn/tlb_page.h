/* A page size, for the tlb_page_*.S: the even and the odd page of a pair, their first and last words, and the addresses
 * just outside. Wants SIZE, EVEN and ODD (physical addresses of the two pages) and MASK (PageMask) defined. */
#include "test.h"
#define VA 0x10000000
TEST
        MAP     1, VA, LO(EVEN, LO_RW), LO(ODD, LO_RW), MASK
        li      $t0, KSEG0(EVEN)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t0, KSEG0(EVEN + SIZE - 4)
        li      $t1, 0x22
        sw      $t1, 0($t0)
        li      $t0, KSEG0(ODD)
        li      $t1, 0x33
        sw      $t1, 0($t0)
        li      $t0, VA
        lw      $t1, 0($t0)
        CHECK   $t1, 0x11
        li      $t0, VA + SIZE - 4
        lw      $t1, 0($t0)
        CHECK   $t1, 0x22
        li      $t0, VA + SIZE
        lw      $t1, 0($t0)
        CHECK   $t1, 0x33
        li      $t0, VA + 2 * SIZE - 4
        li      $t1, 0x44
        sw      $t1, 0($t0)
        li      $t0, KSEG0(ODD + SIZE - 4)
        lw      $t1, 0($t0)
        CHECK   $t1, 0x44
        li      $t0, VA + 2 * SIZE
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        li      $t0, VA - 4
        EXPECT  EXC_TLBS, sw $t1, 0($t0)
        CHECK_STATE S_BADVADDR, VA - 4

        li      $t0, 1                  /* tlbr gives it back */
        mtc0    $t0, C0_INDEX
        mtc0    $zero, C0_PAGEMASK
        ehb
        tlbr
        ehb
        mfc0    $t0, C0_PAGEMASK
        CHECK   $t0, MASK
        mfc0    $t0, C0_ENTRYHI
        CHECK   $t0, VA
        mfc0    $t0, C0_ENTRYLO0
        CHECK   $t0, LO(EVEN, LO_RW)
        mfc0    $t0, C0_ENTRYLO1
        CHECK   $t0, LO(ODD, LO_RW)
        MAP     1, VA, LO(EVEN, LO_RW), 0, MASK       /* the odd half alone invalid */
        li      $t0, VA + SIZE - 4
        lw      $t1, 0($t0)
        CHECK   $t1, 0x22
        li      $t0, VA + SIZE
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        UNMAP   1
        li      $t0, VA
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        li      $t0, VA + SIZE - 4
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
TEST_END
