/* CE names the unit of the instruction, whichever others are usable. */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1 | ST_CU2 | ST_CU3
        SET_CP0 C0_STATUS, ST_CU2 | ST_CU3
        EXPECT_UNUSABLE 1, mfc1 $t1, $f0
        SET_CP0 C0_STATUS, ST_CU1 | ST_CU3
        EXPECT_UNUSABLE 2, .word 0x48090000
        SET_CP0 C0_STATUS, ST_CU1 | ST_CU2
        EXPECT_UNUSABLE 3, .word 0x4c090000
        mfc1    $t1, $f0
        CHECK_STATE S_COUNT, 3
TEST_END
