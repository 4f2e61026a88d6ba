/* mthi, mtlo, mfhi, mflo: two registers that do not disturb each other, and mul leaves both. */
#include "alu.h"
TEST
        li      $t0, 0x12345678
        li      $t1, 0x9abcdef0
        mthi    $t0
        mtlo    $t1
        mfhi    $t2
        CHECK   $t2, 0x12345678
        mflo    $t2
        CHECK   $t2, 0x9abcdef0
        mthi    $zero
        mflo    $t2
        CHECK   $t2, 0x9abcdef0
        mtlo    $zero
        mthi    $t0
        mfhi    $t2
        CHECK   $t2, 0x12345678
        mflo    $t2
        CHECK   $t2, 0
        mfhi    $zero
        CHECK   $zero, 0
TEST_END
