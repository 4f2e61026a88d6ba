/* In kernel mode coprocessor 0 is usable whatever CU0 says. */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, 0
        mfc0    $t0, C0_STATUS
        nop
        CHECK_BITS $t0, ST_CU0, 0
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        CHECK_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        tlbp
        rfe
        CHECK_STATE S_COUNT, 0
TEST_END
