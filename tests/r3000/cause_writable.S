/* Cause: software writes IP1 and IP0 only; the code of the last exception, CE, BD and the hardware's IP7..2 stay. */
#include "test.h"
TEST
        EXPECT_UNUSABLE 1, mfc1 $t2, $f0
        mfc0    $t0, C0_CAUSE
        li      $t1, 0xffffffff
        mtc0    $t1, C0_CAUSE
        SETTLE
        mfc0    $t2, C0_CAUSE
        ori     $t0, $t0, 0x300
        CHECK_SAME $t2, $t0
        mtc0    $zero, C0_CAUSE
        SETTLE
        mfc0    $t2, C0_CAUSE
        li      $t1, ~0x300
        and     $t0, $t0, $t1
        CHECK_SAME $t2, $t0
TEST_END
