/* Every synchronous exception of an instruction in a delay slot sets BD and leaves the branch's address in EPC: Ov, Bp,
 * RI, CpU, AdEL, AdES; BadVAddr is still the operand's address. */
#include "test.h"
TEST
        li      $t0, 0x7fffffff
        li      $t1, KSEG0(FREE_PA)
        EXPECT_IN_SLOT EXC_OV, "b 7f", add $t2, $t0, $t0
        EXPECT_IN_SLOT EXC_BP, "b 7f", break
        EXPECT_IN_SLOT EXC_RI, "b 7f", .word 0x0000003f
        EXPECT_IN_SLOT EXC_CPU, "b 7f", mfc1 $t2, $f0
        EXPECT_IN_SLOT EXC_ADEL, "b 7f", lw $t2, 2($t1)
        CHECK_STATE S_BADVADDR, KSEG0(FREE_PA) + 2
        EXPECT_IN_SLOT EXC_ADES, "b 7f", sh $t2, 1($t1)
        CHECK_STATE S_BADVADDR, KSEG0(FREE_PA) + 1
TEST_END
