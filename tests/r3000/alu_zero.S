/* $zero is zero whatever writes to it. */
#include "test.h"
TEST
        li      $t0, 0x1234
        addu    $zero, $t0, $t0
        CHECK   $zero, 0
        ori     $zero, $t0, 0xffff
        CHECK   $zero, 0
        lui     $zero, 0x1234
        CHECK   $zero, 0
        mthi    $t0
        mfhi    $zero
        CHECK   $zero, 0
        mfc0    $zero, C0_PRID
        nop
        CHECK   $zero, 0
        la      $t1, 1f
        jalr    $zero, $t1
        nop
        FAIL
1:      CHECK   $zero, 0
TEST_END
