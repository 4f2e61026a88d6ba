/* Each exception sets ExcCode and BD anew: nothing of the last one is left. */
#include "test.h"
TEST
        EXPECT_IN_SLOT EXC_CPU, "b 7f", mfc1 $t2, $f0
        EXPECT  EXC_SYS, syscall
        EXPECT_IN_SLOT EXC_BP, "b 7f", break
        li      $t0, KSEG0(FREE_PA)
        EXPECT  EXC_ADEL, lw $t1, 1($t0)
        CHECK_STATE_BITS S_CAUSE, 0x0fff0003, 0
TEST_END
