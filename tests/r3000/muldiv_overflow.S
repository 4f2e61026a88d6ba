/* The one quotient that does not fit, -2^31 / -1: no exception; LO is -2^31, HI 0 (psx-spx).
 * gxemul: no (its remainder is not 0) */
#include "test.h"
TEST
        li      $t0, 0x80000000
        li      $t1, -1
        div     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0
        CHECK   $t3, 0x80000000
        CHECK_STATE S_COUNT, 0
TEST_END
