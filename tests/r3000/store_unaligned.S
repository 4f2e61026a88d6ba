/* swl and swr store the bytes of the register that their word takes; a pair stores an unaligned word. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0xaabbccdd
        li      $t1, 0x44332211
        .macro  PART store, place, value
        sw      $t1, 0($t0)
        \store  $t2, \place($t0)
        CHECK_WORD 0, $t0, \value
        .endm
        PART    swl, 0, 0x443322aa
        PART    swl, 1, 0x4433aabb
        PART    swl, 2, 0x44aabbcc
        PART    swl, 3, 0xaabbccdd
        PART    swr, 0, 0xaabbccdd
        PART    swr, 1, 0xbbccdd11
        PART    swr, 2, 0xccdd2211
        PART    swr, 3, 0xdd332211
        sw      $t1, 0($t0)
        sw      $t1, 4($t0)
        swr     $t2, 3($t0)
        swl     $t2, 6($t0)
        CHECK_WORD 0, $t0, 0xdd332211
        CHECK_WORD 4, $t0, 0x44aabbcc
TEST_END
