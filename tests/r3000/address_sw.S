/* Alignment of word stores: an address that is no multiple of the size raises AdES and sets BadVAddr to it; the
 * memory keeps its content. The multiples work. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x11223344
        sw      $t2, 0($t0)
        sw      $t2, 4($t0)
        li      $t1, 0x5a5a5a5a
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, sw $t1, 1($t0)
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, KSEG0(FREE_PA) + 2, sw $t1, 2($t0)
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, KSEG0(FREE_PA) + 3, sw $t1, 3($t0)
        CHECK_WORD 0, $t0, 0x11223344
        CHECK_WORD 4, $t0, 0x11223344
        sw      $t1, 4($t0)
        CHECK_WORD 4, $t0, 0x5a5a5a5a
TEST_END
