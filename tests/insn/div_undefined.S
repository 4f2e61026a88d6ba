/* div, divu: no exception for a zero divisor or an overflowing quotient, whose results are unpredictable. */
#include "alu.h"
TEST
        li      $t0, 5
        div     $zero, $t0, $zero
        mflo    $t2
        divu    $zero, $t0, $zero
        mfhi    $t2
        li      $t0, 0x80000000
        li      $t1, -1
        div     $zero, $t0, $t1
        mflo    $t2
        CHECK_STATE S_COUNT, 0
        li      $t1, 3
        div     $zero, $t0, $t1
        mfhi    $t2
        CHECK   $t2, -2
TEST_END
