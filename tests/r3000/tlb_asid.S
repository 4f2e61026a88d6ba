/* Without G an entry matches only the ASID it was written with, all 6 bits of it; the same page may be in the TLB
 * once for each ASID. Another ASID misses through the UTLB vector, even where an entry of the page is there. */
#include "test.h"
TEST
        li      $t0, 0x00700000
        li      $t2, KSEG1(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t2)
        li      $t1, 0x22
        sw      $t1, 0x1000($t2)
        MAP     1, HI(0x00700000, 0x05), LO(FREE_PA, LO_RW)
        MAP     2, HI(0x00700000, 0x25), LO(FREE_PA + 0x1000, LO_RW)
        SET_ASID 0x05
        CHECK_WORD 0, $t0, 0x11
        SET_ASID 0x25
        CHECK_WORD 0, $t0, 0x22
        SET_ASID 0x05
        CHECK_WORD 0, $t0, 0x11
        .irp    asid, 0x04, 0x07, 0x01, 0x0d, 0x15, 0x3f, 0x00
        SET_ASID \asid
        EXPECT_AT EXC_TLBL, VECTOR_UTLB, 0x00700000, lw $t1, 0($t0)
        CHECK_STATE S_ENTRYHI, HI(0x00700000, \asid)
        .endr
TEST_END
