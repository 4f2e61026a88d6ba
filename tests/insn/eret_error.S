/* eret with ERL set goes to ErrorEPC and leaves EXL and EPC alone; with EXL only it goes to EPC; it has no delay slot. */
#include "test.h"
TEST
        la      $t0, 1f
        mtc0    $t0, C0_EPC
        la      $t0, 2f
        mtc0    $t0, C0_ERROREPC
        li      $t1, 0
        SET_STATUS ST_ERL | ST_EXL
        eret
        addiu   $t1, $t1, 1
1:      addiu   $t1, $t1, 2
        b       3f
        nop
2:      addiu   $t1, $t1, 4
        mfc0    $t2, C0_STATUS
        CHECK_BITS $t2, ST_ERL | ST_EXL, ST_EXL
        eret
        addiu   $t1, $t1, 8
3:      CHECK   $t1, 6
        mfc0    $t2, C0_STATUS
        CHECK_BITS $t2, ST_ERL | ST_EXL, 0
TEST_END
