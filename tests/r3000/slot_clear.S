/* BD is clear for an instruction that follows a delay slot, and for the target of a branch. */
#include "test.h"
TEST
        RESUME_AT 3f
        b       1f
        nop
        FAIL
1:      syscall
        FAIL
3:      CHECK_EXCEPTION EXC_SYS, 1b, 0
        RESUME_AT 3f
        bnez    $zero, 2f
        nop
1:      break
2:      FAIL
3:      CHECK_EXCEPTION EXC_BP, 1b, 0
TEST_END
