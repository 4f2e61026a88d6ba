/* TLB exceptions of a load or store in a delay slot: UTLB miss, TLBL and TLBS of an invalid entry, Mod; BD is set,
 * EPC is the branch's, BadVAddr the operand's. */
#include "test.h"
TEST
        MAP     1, 0x00501000, LO(FREE_PA, 0)
        MAP     2, 0x00502000, LO(FREE_PA, LO_V)
        SET_ASID 0
        li      $t0, 0x00500000
        EXPECT_IN_SLOT EXC_TLBL, "b 7f", lw $t1, 8($t0)
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        CHECK_STATE S_BADVADDR, 0x00500008
        EXPECT_IN_SLOT EXC_TLBS, "bnez $zero, 7f", sw $t1, 8($t0)
        CHECK_STATE S_VECTOR, VECTOR_UTLB
        EXPECT_IN_SLOT EXC_TLBL, "b 7f", lw $t1, 0x1008($t0)
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_STATE S_BADVADDR, 0x00501008
        EXPECT_IN_SLOT EXC_TLBS, "b 7f", sw $t1, 0x1008($t0)
        EXPECT_IN_SLOT EXC_MOD, "b 7f", sw $t1, 0x2008($t0)
        CHECK_STATE S_BADVADDR, 0x00502008
TEST_END
