/* bc1t and bc1f branch by the condition bit, which ctc1 may write; their delay slots execute. */
#include "fp.h"
        .macro  BRANCH insn, fcsr, taken
        SET_FCSR \fcsr
        li      $t2, 0
        \insn   .Lto\@
        addiu   $t2, $t2, 1
        addiu   $t2, $t2, 2
.Lto\@: CHECK   $t2, 3 - 2 * \taken
        .endm
FP_TEST
        BRANCH  bc1t, FC_C, 1
        BRANCH  bc1t, 0, 0
        BRANCH  bc1f, FC_C, 0
        BRANCH  bc1f, 0, 1
        SINGLE  20, 0x3f800000
        c.eq.s  $f20, $f20
        nop
        bc1t    1f
        nop
        FAIL
1:      c.lt.s  $f20, $f20
        nop
        bc1f    2f
        nop
        FAIL
2:      EXPECT_IN_SLOT EXC_SYS, "bc1f 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bc1t 7f", syscall
TEST_END
