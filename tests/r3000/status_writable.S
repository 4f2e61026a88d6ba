/* Status: the masks, the stack, BEV's neighbours CU3..0 read back as written; mtc0 to Status does not touch Cause. */
#include "test.h"
TEST
        SET_CP0 C0_CAUSE, 0
        SET_CP0 C0_STATUS, 0xf000ff3c
        mfc0    $t0, C0_STATUS
        SET_CP0 C0_STATUS, 0
        CHECK_BITS $t0, 0xf000ff3f, 0xf000ff3c
        SET_CP0 C0_STATUS, 0x50005514
        mfc0    $t0, C0_STATUS
        SET_CP0 C0_STATUS, 0
        CHECK_BITS $t0, 0xf000ff3f, 0x50005514
        CHECK_CP0_BITS C0_STATUS, 0xf000ff3f, 0
        CHECK_CP0_BITS C0_CAUSE, 0x300, 0
TEST_END
