/* An exception in a delay slot sets BD and leaves the branch's address in EPC, whether the branch is taken or not,
 * and for every kind of branch and jump. */
#include "test.h"
TEST
        li      $t0, 1
        EXPECT_IN_SLOT EXC_SYS, "beq $t0, $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "beq $t0, $zero, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bne $t0, $zero, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bne $t0, $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "blez $zero, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "blez $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bgtz $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bgtz $zero, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bgez $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bltz $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bgezal $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "bltzal $t0, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "j 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "jal 7f", syscall
        la      $t1, 1f
        EXPECT_IN_SLOT EXC_SYS, "jr $t1", syscall
        EXPECT_IN_SLOT EXC_SYS, "jalr $t1", syscall
        b       2f
        nop
1:      FAIL
2:      CHECK_STATE S_COUNT, 16
TEST_END
