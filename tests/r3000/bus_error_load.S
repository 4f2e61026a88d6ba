/* A load from an address that nothing answers raises DBE, for every size, uncached, in mapped memory, and in a delay
 * slot; the register keeps its value, BadVAddr too.
 * gxemul: no (nothing is missing from its bus) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        EXPECT  EXC_ADEL, lw $t1, 1($t0)
        li      $t0, KSEG1(NOWHERE)
        li      $t1, 0x5a5a5a5a
        EXPECT_AT EXC_DBE, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lw $t1, 0($t0)
        EXPECT  EXC_DBE, lhu $t1, 2($t0)
        EXPECT  EXC_DBE, lb $t1, 3($t0)
        EXPECT  EXC_DBE, lwl $t1, 1($t0)
        EXPECT_IN_SLOT EXC_DBE, "b 7f", lw $t1, 0($t0)
        MAP     1, 0x00700000, LO(NOWHERE, LO_RW | LO_N)
        SET_ASID 0
        li      $t0, 0x00700000
        EXPECT_AT EXC_DBE, VECTOR_GENERAL, KSEG0(FREE_PA) + 1, lw $t1, 4($t0)
        CHECK   $t1, 0x5a5a5a5a
TEST_END
