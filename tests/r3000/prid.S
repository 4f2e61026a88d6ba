/* PRId: implementation 2 is the R3000 (and R2000's successor R3000A); nothing above bit 15. It cannot be written. */
#include "test.h"
TEST
        mfc0    $t0, C0_PRID
        nop
        srl     $t1, $t0, 8
        CHECK   $t1, 2
        li      $t2, 0xffffffff
        mtc0    $t2, C0_PRID
        SETTLE
        mfc0    $t1, C0_PRID
        nop
        CHECK_SAME $t1, $t0
TEST_END
