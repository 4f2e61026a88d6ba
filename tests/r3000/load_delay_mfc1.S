/* mfc1 and cfc1 have the delay of a load.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        SET_CP0 C0_STATUS, ST_CU1
        li      $t0, 0x3f800000
        mtc1    $t0, $f4
        ctc1    $zero, $31
        SETTLE
        li      $t2, 0x33
        mfc1    $t2, $f4
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x33
        CHECK   $t4, 0x3f800000
        li      $t2, 0x33
        cfc1    $t2, $31
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x33
        CHECK_BITS $t4, 0x0003ffff, 0
TEST_END
