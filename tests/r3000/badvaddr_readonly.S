/* BadVAddr belongs to exceptions: mtc0 does not write it.
 * gxemul: no (it lets mtc0 write BadVAddr) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lw $t1, 1($t0)
        SET_CP0 C0_BADVADDR, 0
        CHECK_CP0 C0_BADVADDR, KSEG0(FREE_PA) + 1
TEST_END
