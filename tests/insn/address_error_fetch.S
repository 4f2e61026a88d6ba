/* A jump to an address that is not a multiple of 4: AdEL at the target, EPC and BadVAddr the odd address; the delay slot
 * has executed. */
#include "test.h"
TEST
        la      $t0, 1f
        addiu   $t1, $t0, 2
        li      $t2, 0
        RESUME_AT 1f
        jr      $t1
        li      $t2, 7
        FAIL
1:      CHECK   $t2, 7
        CHECK_EXCEPTION EXC_ADEL, 1b + 2
        CHECK_STATE S_BADVADDR, 1b + 2
TEST_END
