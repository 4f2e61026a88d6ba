/* Writing another page into an entry takes the old page away, also after the old one was in use; writing the same page
 * with another frame moves it. */
#include "test.h"
TEST
        li      $t2, KSEG1(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t2)
        li      $t1, 0x22
        sw      $t1, 0x1000($t2)
        MAP     9, 0x00700000, LO(FREE_PA, LO_RW)
        SET_ASID 0
        li      $t0, 0x00700000
        CHECK_WORD 0, $t0, 0x11
        MAP     9, 0x00700000, LO(FREE_PA + 0x1000, LO_RW)
        CHECK_WORD 0, $t0, 0x22
        MAP     9, 0x00701000, LO(FREE_PA, LO_RW)
        EXPECT  EXC_TLBL, lw $t1, 0($t0)
        CHECK_WORD 0x1000, $t0, 0x11
        MAP     9, 0x00701000, LO(FREE_PA, LO_V)
        EXPECT  EXC_MOD, sw $t1, 0x1000($t0)
        MAP     9, 0x00701000, LO(FREE_PA, 0)
        EXPECT  EXC_TLBL, lw $t1, 0x1000($t0)
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
TEST_END
