/* Alignment of halfword loads: an address that is no multiple of the size raises AdEL and sets BadVAddr to it; the
 * register keeps its value. The multiples work. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11223344
        sw      $t2, 0($t0)
        sw      $t2, 4($t0)
        li      $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lh $t1, 1($t0)
        CHECK   $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 3, lh $t1, 3($t0)
        CHECK   $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lhu $t1, 1($t0)
        CHECK   $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 3, lhu $t1, 3($t0)
        CHECK   $t1, 0x5a5a5a5a
        lh      $t1, 4($t0)
        nop
        CHECK   $t1, 0x3344
        lhu     $t1, 2($t0)
        nop
        CHECK   $t1, 0x1122
TEST_END
