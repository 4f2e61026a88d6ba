/* A jump that links has linked when its delay slot raises an exception. */
#include "test.h"
        .macro  LINKS code, jump, insn
        li      $ra, 0
        EXPECT_IN_SLOT \code, "\jump", \insn
        lw      $t0, S_EPC($gp)
        nop
        addiu   $t0, $t0, 8
        CHECK_SAME $ra, $t0
        .endm
TEST
        LINKS   EXC_SYS, "jal 7f", syscall
        LINKS   EXC_BP, "bgezal $zero, 7f", break
        LINKS   EXC_BP, "bltzal $zero, 7f", break
TEST_END
