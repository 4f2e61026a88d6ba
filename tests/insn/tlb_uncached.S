/* Pages with the uncached attribute (C = 2): the same memory; code executes from there and from kseg1. */
#include "test.h"
#define VA 0x00c00000
TEST
        MAP     1, VA, ((FREE_PA >> 12) << 6) | (2 << 3) | LO_RW, 0
        li      $t0, VA
        li      $t1, 0x03e00008
        sw      $t1, 0($t0)
        li      $t1, 0x24020005
        sw      $t1, 4($t0)
        synci   0($t0)
        sync
        jalr.hb $t0
        li      $v0, 0
        CHECK   $v0, 5
        li      $t0, KSEG1(FREE_PA)
        jalr.hb $t0
        li      $v0, 0
        CHECK   $v0, 5
        lw      $t1, 0($t0)
        CHECK   $t1, 0x03e00008
TEST_END
