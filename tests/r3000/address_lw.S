/* Alignment of word loads: an address that is no multiple of the size raises AdEL and sets BadVAddr to it; the
 * register keeps its value. The multiples work. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11223344
        sw      $t2, 0($t0)
        sw      $t2, 4($t0)
        li      $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lw $t1, 1($t0)
        CHECK   $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 2, lw $t1, 2($t0)
        CHECK   $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, KSEG0(FREE_PA) + 3, lw $t1, 3($t0)
        CHECK   $t1, 0x5a5a5a5a
        lw      $t1, 4($t0)
        nop
        CHECK   $t1, 0x11223344
TEST_END
