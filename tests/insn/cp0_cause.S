/* Cause.IP shows pending ones whatever Status says; writes to Cause reach IP1..0, IV and DC only. */
#include "test.h"
TEST
        li      $t0, 0xffffffff & ~CA_DC
        mtc0    $t0, C0_CAUSE
        ehb
        mfc0    $t0, C0_CAUSE
        CHECK_BITS $t0, 0x8080ff7c, 0x00800300
        mtc0    $zero, C0_CAUSE
        ehb
        mfc0    $t0, C0_CAUSE
        CHECK_BITS $t0, 0x8080ff7c, 0
TEST_END
