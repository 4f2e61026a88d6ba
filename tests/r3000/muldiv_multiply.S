/* mult and multu leave the 64-bit product in HI and LO: signs, limits, zero. */
#include "test.h"
TEST
        .macro  PRODUCT op, a, b, hi, lo
        li      $t0, \a
        li      $t1, \b
        \op     $t0, $t1
        mfhi    $t2
        mflo    $t3
        nop
        nop
        CHECK   $t2, \hi
        CHECK   $t3, \lo
        .endm
        PRODUCT mult, 0, 0x12345678, 0, 0
        PRODUCT mult, 0x12345678, 0x10, 0x1, 0x23456780
        PRODUCT mult, 0xffffffff, 0xffffffff, 0, 1
        PRODUCT mult, 0xffffffff, 1, 0xffffffff, 0xffffffff
        PRODUCT mult, 0x80000000, 0x80000000, 0x40000000, 0
        PRODUCT mult, 0x80000000, 0xffffffff, 0, 0x80000000
        PRODUCT mult, 0x7fffffff, 0x80000000, 0xc0000000, 0x80000000
        PRODUCT multu, 0xffffffff, 0xffffffff, 0xfffffffe, 1
        PRODUCT multu, 0x80000000, 0x80000000, 0x40000000, 0
        PRODUCT multu, 0xffffffff, 1, 0, 0xffffffff
        PRODUCT multu, 0x80000000, 2, 1, 0
TEST_END
