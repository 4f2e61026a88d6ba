/* Address errors in delay slots: BadVAddr is that of the access, EPC that of the branch. */
#include "test.h"
TEST
        la      $t0, test_state
        EXPECT_IN_SLOT EXC_ADEL, "b 7f", lw $t1, 1($t0)
        CHECK_STATE S_BADVADDR, test_state + 1
        EXPECT_IN_SLOT EXC_ADES, "jal 7f", sh $t1, 3($t0)
        CHECK_STATE S_BADVADDR, test_state + 3
        la      $t2, 1f
1:      EXPECT_IN_SLOT EXC_ADEL, "jalr $t5, $t2", lh $t1, 5($t0)
        CHECK_STATE S_BADVADDR, test_state + 5
TEST_END
