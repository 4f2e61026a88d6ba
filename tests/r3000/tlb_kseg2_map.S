/* kseg2 is mapped in kernel mode by entries as kuseg is: hit, invalid, Mod, ASID and G. */
#include "test.h"
TEST
        MAP     1, HI(0xc0000000, 1), LO(FREE_PA, LO_RW)
        MAP     2, HI(0xfffff000, 1), LO(FREE_PA, LO_V | LO_G)
        MAP     3, HI(0xc0001000, 1), LO(FREE_PA, 0)
        SET_ASID 1
        li      $t0, 0xc0000000
        li      $t3, 0xfffff000
        li      $t1, 0x11
        sw      $t1, 0xffc($t0)
        CHECK_WORD 0xffc, $t3, 0x11
        EXPECT_AT EXC_MOD, VECTOR_GENERAL, 0xfffff000, sw $t1, 0($t3)
        EXPECT_AT EXC_TLBL, VECTOR_GENERAL, 0xc0001000, lw $t1, 0x1000($t0)
        SET_ASID 2
        CHECK_WORD 0xffc, $t3, 0x11
        EXPECT_AT EXC_TLBL, VECTOR_GENERAL, 0xc0000000, lw $t1, 0($t0)
TEST_END
