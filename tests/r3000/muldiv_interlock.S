/* mfhi and mflo wait for the result: directly behind mult and div they give it. */
#include "test.h"
TEST
        li      $t0, 1000
        li      $t1, 3000
        mult    $t0, $t1
        mflo    $t2
        CHECK   $t2, 3000000
        div     $zero, $t1, $t0
        mflo    $t2
        CHECK   $t2, 3
        li      $t0, 7
        divu    $zero, $t1, $t0
        mfhi    $t2
        CHECK   $t2, 4
TEST_END
