/* Walks of two levels: loads, stores, what an entry allows, and what a walk leaves as it is. simos: --set cpu.page_walker=on */
/* qemu: no (P5600 differs in what the manual leaves open) */
#include "walker.h"
#define VA 0x00c03000                   /* the fourth directory entry, and PTEs 3 and 2 */
TEST
        PREPARE_TABLES
        POKE    TABLE(0) + 3 * 4, TABLE(1)
        POKE    TABLE(1) + 2 * 4, PTE(4, LO_RW)
        POKE    TABLE(1) + 3 * 4, PTE(5, LO_RW)
        POKE    TABLE(1) + 4 * 4, PTE(6, LO_V)          /* not writable */
        POKE    TABLE(1) + 6 * 4, PTE(7, LO_RW | LO_G)  /* global, both */
        POKE    TABLE(1) + 7 * 4, PTE(8, LO_RW | LO_G)
        POKE    TABLE(1) + 8 * 4, PTE(9, LO_RW | LO_G)  /* one only */
        POKE    TABLE(1) + 9 * 4, PTE(10, LO_RW)
        POKE    TABLE(1) + 10 * 4, PTE(11, LO_D)        /* not valid */
        POKE    TABLE(1) + 11 * 4, PTE(12, LO_RW)
        SET_WALKER TABLE(0), FIELD_2, SIZE_2, PW_EN
        /* none of these does a walk change */
        li      $t0, 0x12345000
        mtc0    $t0, C0_ENTRYHI
        li      $t0, 0x155
        mtc0    $t0, C0_ENTRYLO0
        li      $t0, 0x2aa
        mtc0    $t0, C0_ENTRYLO1
        li      $t0, 0x6000
        mtc0    $t0, C0_PAGEMASK
        li      $t0, 5
        mtc0    $t0, C0_INDEX
        ehb
        li      $t0, VA
        lw      $t1, 0($t0)             /* the odd page */
        CHECK   $t1, 5
        mfc0    $t1, C0_ENTRYHI
        CHECK   $t1, 0x12344000
        mfc0    $t1, C0_ENTRYLO0
        CHECK   $t1, 0x155
        mfc0    $t1, C0_ENTRYLO1
        CHECK   $t1, 0x2aa
        mfc0    $t1, C0_PAGEMASK
        CHECK   $t1, 0x6000
        mfc0    $t1, C0_INDEX
        CHECK   $t1, 5
        mfc0    $t1, C0_BADVADDR
        CHECK   $t1, 0
        mtc0    $zero, C0_ENTRYHI
        mtc0    $zero, C0_PAGEMASK
        ehb
        lw      $t1, -4($t0)            /* the even one is there, too: its PTE is not read again */
        CHECK   $t1, 4
        POKE    TABLE(1) + 2 * 4, PTE(13, LO_RW)
        lw      $t1, -0x1000($t0)
        CHECK   $t1, 4
        CHECK_ENTRY VA, LO(PAGE_PA(4), LO_RW), LO(PAGE_PA(5), LO_RW)
        /* every kind of access */
        FLUSH_TLB
        li      $t0, VA
        li      $t1, 77
        sw      $t1, 8($t0)
        lw      $t1, KSEG0(PAGE_PA(5)) - KSEG0(PAGE_PA(5)) + 8($t0)
        CHECK   $t1, 77
        li      $t2, KSEG0(PAGE_PA(5))
        lw      $t1, 8($t2)
        CHECK   $t1, 77
        FLUSH_TLB
        li      $t0, VA
        lbu     $t1, 8($t0)
        CHECK   $t1, 77
        FLUSH_TLB
        li      $t0, VA
        lwl     $t1, 11($t0)
        CHECK   $t1, 77
        FLUSH_TLB
        li      $t0, VA
        li      $t1, 78
        swl     $t1, 11($t0)
        FLUSH_TLB
        li      $t0, VA
        ll      $t1, 8($t0)
        CHECK   $t1, 78
        lw      $t2, 0x5000($t0)        /* a walk leaves the link, as no exception is taken */
        CHECK   $t2, 9
        addiu   $t1, $t1, 1
        sc      $t1, 8($t0)
        CHECK   $t1, 1
        FLUSH_TLB
        li      $t0, VA
        li      $t1, 99
        sc      $t1, 8($t0)             /* without a link, it still translates */
        CHECK   $t1, 0
        CHECK_ENTRY VA, LO(PAGE_PA(13), LO_RW), LO(PAGE_PA(5), LO_RW)
        FLUSH_TLB
        li      $t0, VA
        cache   0x15, 8($t0)
        CHECK_ENTRY VA, LO(PAGE_PA(13), LO_RW), LO(PAGE_PA(5), LO_RW)
        FLUSH_TLB
        li      $t0, VA
        synci   8($t0)
        CHECK_ENTRY VA, LO(PAGE_PA(13), LO_RW), LO(PAGE_PA(5), LO_RW)
        FLUSH_TLB
        li      $t0, VA
        SET_STATUS ST_CU1
        ldc1    $f0, 8($t0)
        mfc1    $t1, $f0
        CHECK   $t1, 79
        SET_STATUS 0
        FLUSH_TLB
        CHECK_STATE S_COUNT, 0
        /* read-only: the entry is loaded, and the store modifies */
        li      $t0, 0x00c04000
        EXPECT  EXC_MOD, sw $t1, 4($t0)
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_BADVADDR, 0x00c04004
        lw      $t1, 0($t0)
        CHECK   $t1, 6
        /* the other page of the pair is empty: invalid, not a refill */
        EXPECT  EXC_TLBL, lw $t1, 0x1004($t0)
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_BADVADDR, 0x00c05004
        FLUSH_TLB
        li      $t0, 0x00c05000
        EXPECT  EXC_TLBS, sw $t1, 4($t0)
        CHECK_STATE S_VECTOR, 0x180
        CHECK_ENTRY 0x00c04000, LO(PAGE_PA(6), LO_V), 0
        /* not valid */
        li      $t0, 0x00c0a000
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_STATE S_VECTOR, 0x180
        CHECK_STATE S_ENTRYHI, 0x00c0a000
        lw      $t1, 0x1000($t0)
        CHECK   $t1, 12
        /* global only if both are */
        FLUSH_TLB
        li      $t0, 0x00c06000
        lw      $t1, 0($t0)
        CHECK   $t1, 7
        lw      $t1, 0x2000($t0)
        CHECK   $t1, 9
        CHECK_ENTRY 0x00c06000 + 9, LO(PAGE_PA(7), LO_RW | LO_G), LO(PAGE_PA(8), LO_RW | LO_G)
        CHECK_NO_ENTRY 0x00c08000 + 9
        CHECK_ENTRY 0x00c08000, LO(PAGE_PA(9), LO_RW), LO(PAGE_PA(10), LO_RW)
        /* not aligned: an address error, without a walk */
        FLUSH_TLB
        li      $t0, VA
        EXPECT  EXC_ADEL, lw $t1, 2($t0)
        EXPECT  EXC_ADES, sh $t1, 1($t0)
        CHECK_NO_ENTRY VA
TEST_END
