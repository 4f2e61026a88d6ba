/* add: an overflow raises Ov and leaves the destination, also where that is $zero. */
#include "alu.h"
TEST
        OVERFLOW add, 0x7fffffff, 0x00000001
        OVERFLOW add, 0x80000000, 0xffffffff
        OVERFLOW add, 0x80000000, 0x80000000
        OVERFLOW add, 0x7fffffff, 0x7fffffff
        OVERFLOW add, 0x40000000, 0x40000000
        OVERFLOW add, 0xc0000000, 0xbfffffff
        OVERFLOW add, 0xffffffff, 0x80000000
        li      $t0, 0x7fffffff
        li      $t1, 1
        EXPECT  EXC_OV, add $t0, $t0, $t1
        CHECK   $t0, 0x7fffffff
        EXPECT  EXC_OV, add $zero, $t0, $t1
TEST_END
