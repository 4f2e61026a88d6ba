/* Every instruction of coprocessor 1 raises CpU with CE 1 while CU1 is clear, in kernel mode too: operations, moves,
 * branches, loads and stores; registers and memory keep their values. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        EXPECT_UNUSABLE 1, add.s $f0, $f2, $f4
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        EXPECT_UNUSABLE 1, c.eq.d $f0, $f2
        EXPECT_UNUSABLE 1, mfc1 $t1, $f0
        EXPECT_UNUSABLE 1, mtc1 $t1, $f0
        EXPECT_UNUSABLE 1, cfc1 $t1, $31
        EXPECT_UNUSABLE 1, ctc1 $t1, $31
        EXPECT_UNUSABLE 1, bc1t 1f
        EXPECT_UNUSABLE 1, bc1f 1f
        EXPECT_UNUSABLE 1, lwc1 $f0, 0($t0)
        EXPECT_UNUSABLE 1, swc1 $f0, 0($t0)
        CHECK   $t1, 0x5a5a5a5a
        CHECK_WORD 0, $t0, 0x5a5a5a5a
        EXPECT_IN_SLOT EXC_CPU, "b 7f", add.s $f0, $f2, $f4
        CHECK_STATE_BITS S_CAUSE, 0x30000000, 1 << 28
        b       2f
        nop
1:      FAIL
2:
TEST_END
