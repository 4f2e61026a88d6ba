/* Each branch is taken exactly when its condition holds: zero, positive and negative operands, also the smallest. */
#include "test.h"
TEST
        .macro  BRANCH taken, insn:vararg
        li      $t2, 0
        \insn, .Lto\@
        nop
        li      $t2, 1
.Lto\@:
        CHECK   $t2, 1 - \taken
        .endm
        li      $t0, 0x80000000
        li      $t1, 1
        BRANCH  1, beq $t0, $t0
        BRANCH  0, beq $t0, $t1
        BRANCH  0, bne $t0, $t0
        BRANCH  1, bne $t0, $t1
        BRANCH  1, blez $t0
        BRANCH  1, blez $zero
        BRANCH  0, blez $t1
        BRANCH  0, bgtz $t0
        BRANCH  0, bgtz $zero
        BRANCH  1, bgtz $t1
        BRANCH  1, bltz $t0
        BRANCH  0, bltz $zero
        BRANCH  0, bltz $t1
        BRANCH  0, bgez $t0
        BRANCH  1, bgez $zero
        BRANCH  1, bgez $t1
        BRANCH  1, bltzal $t0
        BRANCH  0, bltzal $t1
        BRANCH  0, bgezal $t0
        BRANCH  1, bgezal $t1
TEST_END
