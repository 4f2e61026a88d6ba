/* UM makes user mode only while EXL and ERL are clear. */
#include "test.h"
TEST
        la      $t0, test_state
        SET_STATUS ST_UM | ST_EXL
        lw      $t1, 0($t0)
        mfc0    $t1, C0_STATUS
        CHECK_BITS $t1, ST_UM | ST_EXL, ST_UM | ST_EXL
        SET_STATUS ST_UM | ST_ERL
        lw      $t1, 0($t0)
        mfc0    $t1, C0_STATUS
        mtc0    $zero, C0_STATUS
        ehb
        CHECK_BITS $t1, ST_UM | ST_ERL, ST_UM | ST_ERL
TEST_END
