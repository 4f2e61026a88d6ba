/* sub: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        OVERFLOW sub, 0x7fffffff, 0x80000000
        OVERFLOW sub, 0x80000000, 0x7fffffff
        OVERFLOW sub, 0x00000000, 0x80000000
        OVERFLOW sub, 0x7fffffff, 0xffffffff
        li      $t0, 0x80000000
        li      $t1, 1
        EXPECT  EXC_OV, sub $t0, $t0, $t1
        CHECK   $t0, 0x80000000
        EXPECT  EXC_OV, sub $zero, $t0, $t1
TEST_END
