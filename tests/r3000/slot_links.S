/* A jump that links has linked when its delay slot raises an exception. */
#include "test.h"
TEST
        li      $ra, 0
        EXPECT_IN_SLOT EXC_SYS, "jal 7f", syscall
        lw      $t0, S_EPC($gp)
        nop
        addiu   $t0, $t0, 8
        CHECK_SAME $ra, $t0
        li      $ra, 0
        EXPECT_IN_SLOT EXC_BP, "bgezal $zero, 7f", break
        lw      $t0, S_EPC($gp)
        nop
        addiu   $t0, $t0, 8
        CHECK_SAME $ra, $t0
        li      $ra, 0
        EXPECT_IN_SLOT EXC_BP, "bltzal $zero, 7f", break
        lw      $t0, S_EPC($gp)
        nop
        addiu   $t0, $t0, 8
        CHECK_SAME $ra, $t0
TEST_END
