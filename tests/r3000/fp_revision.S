/* FCR0 says which chip it is: implementation 3 is the R3010 (2 the R2010); it cannot be written. */
#include "fp.h"
FP_TEST
        cfc1    $t0, $0
        nop
        srl     $t1, $t0, 8
        CHECK   $t1, 3
        li      $t2, 0xffffffff
        ctc1    $t2, $0
        SETTLE
        cfc1    $t1, $0
        nop
        CHECK_SAME $t1, $t0
TEST_END
