/* mthi and mtlo write one register each; HI and LO keep their values over exceptions and other instructions. */
#include "test.h"
TEST
        li      $t0, 0x11
        li      $t1, 0x22
        mthi    $t0
        mtlo    $t1
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x11
        CHECK   $t3, 0x22
        EXPECT  EXC_SYS, syscall
        mfhi    $t2
        mflo    $t3
        CHECK   $t2, 0x11
        CHECK   $t3, 0x22
        mthi    $t1
        nop
        mflo    $t3
        mfhi    $t2
        CHECK   $t2, 0x22
        CHECK   $t3, 0x22
TEST_END
