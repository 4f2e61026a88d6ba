/* lwc1 and swc1 raise the exceptions of a load and a store: AdEL, AdES, TLBL, TLBS, Mod; the register and memory keep
 * their values. */
#include "fp.h"
FP_TEST
        MAP     1, 0x00701000, LO(FREE_PA, LO_V)
        SET_ASID 0
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x00700000
        SINGLE  4, 0x3f800000
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 2, lwc1 $f4, 2($t0)
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, swc1 $f4, 1($t0)
        EXPECT_AT EXC_TLBL, VECTOR_UTLB, 0x00700004, lwc1 $f4, 4($t1)
        EXPECT_AT EXC_TLBS, VECTOR_UTLB, 0x00700008, swc1 $f4, 8($t1)
        EXPECT_AT EXC_MOD, VECTOR_GENERAL, 0x00701000, swc1 $f4, 0x1000($t1)
        CHECK_SINGLE 4, 0x3f800000
TEST_END
