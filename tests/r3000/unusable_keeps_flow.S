/* bc1t that is unusable is an exception at the branch, not in its delay slot, which does not execute. */
#include "test.h"
TEST
        li      $t2, 0
        RESUME_AT 2f
1:      bc1t    3f
        li      $t2, 1
        FAIL
3:      FAIL
2:      CHECK_EXCEPTION EXC_CPU, 1b, 0
        CHECK   $t2, 0
TEST_END
