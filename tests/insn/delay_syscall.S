/* syscall and break in delay slots: EPC is the branch, BD is set, and the branch can execute again. */
#include "test.h"
TEST
        li      $t0, 5
        li      $t1, 5
        EXPECT_IN_SLOT EXC_SYS, "b 7f", syscall
        EXPECT_IN_SLOT EXC_BP, "b 7f", break
        EXPECT_IN_SLOT EXC_SYS, "bne $t0, $t1, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "beql $zero, $zero, 7f", syscall
        EXPECT_IN_SLOT EXC_SYS, "j 7f", syscall
        la      $t0, 1f
1:      EXPECT_IN_SLOT EXC_SYS, "jr $t0", syscall
        li      $ra, 0
        EXPECT_IN_SLOT EXC_SYS, "jal 7f", syscall
        li      $t0, 1                  /* annulled: no exception */
        bnel    $zero, $zero, 1f
        syscall
        li      $t0, 2
1:      CHECK   $t0, 2
        EXPECT  EXC_SYS, syscall        /* BD does not stick */
TEST_END
