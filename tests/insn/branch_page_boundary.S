/* A branch in the last word of a page: its delay slot is the first word of the next, for all kinds. */
#include "test.h"
/* BRANCH ends a page; the slot adds 1, the fall-through 2, the target 4. */
.macro AT_PAGE_END result, branch:vararg
        b       6f
        li      $t2, 0
        .balign 4096
        .space  4092 - 4
6:      nop
        \branch
        addiu   $t2, $t2, 1
        b       8f
        addiu   $t2, $t2, 2
7:      addiu   $t2, $t2, 4
8:      CHECK   $t2, \result
.endm
TEST
        AT_PAGE_END 5, b 7f
        AT_PAGE_END 3, bne $zero, $zero, 7f
        AT_PAGE_END 5, beql $zero, $zero, 7f
        AT_PAGE_END 2, bnel $zero, $zero, 7f
        AT_PAGE_END 5, bgezal $zero, 7f
        AT_PAGE_END 5, j 7f
        AT_PAGE_END 5, jal 7f
        la      $t0, 7f
        AT_PAGE_END 5, jr $t0
TEST_END
