/* An access that is misaligned and has no TLB entry either is an address error, not a miss. */
#include "test.h"
TEST
        li      $t0, 0x00700000
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, 0x00700001, lw $t1, 1($t0)
        EXPECT_AT EXC_ADES, VECTOR_GENERAL, 0x00700002, sw $t1, 2($t0)
        EXPECT_AT EXC_ADEL, VECTOR_GENERAL, 0x00700003, lhu $t1, 3($t0)
TEST_END
