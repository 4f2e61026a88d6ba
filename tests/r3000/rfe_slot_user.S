/* jr with rfe in its delay slot: the target is the first instruction in the new mode. The jump itself and rfe are
 * fetched in kernel mode from kseg0; the target in kseg0 is an address error then.
 * gxemul: no (it checks the mode on the first fetch from a page only) */
#include "test.h"
TEST
        la      $t0, 1f
        RESUME_AT 2f
        SET_CP0 C0_STATUS, ST_KUP
        jr      $t0
        rfe
        FAIL
1:      nop
        FAIL
2:      CHECK_EXCEPTION EXC_ADEL, 1b
        CHECK_STATE S_BADVADDR, 1b
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP
TEST_END
