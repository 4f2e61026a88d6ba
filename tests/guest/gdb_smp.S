/* Two processors for test_gdb_sessions.sh: each calls `step` CALLS times; then the first loads a double with Status.FR = 0
 * and 1. Labels name where the debugger stops. */
#include "test.h"
#define CALLS 120

TEST
        START_OTHER 1
        li      $s0, CALLS
1:      jal     step
        nop
        bnez    $s0, 1b
        addiu   $s0, $s0, -1
        la      $t0, other_done
2:      lw      $t1, 0($t0)
        beqz    $t1, 2b
        nop
        la      $t0, value
        li      $t1, ST_CU1
        mtc0    $t1, C0_STATUS
        ehb
        ldc1    $f2, 0($t0)
        lui     $t1, 0x3fa0             /* 1.25 */
        mtc1    $t1, $f5
        .globl  fr0
fr0:    nop
        sdc1    $f2, 8($t0)
        swc1    $f5, 16($t0)
        li      $t1, ST_CU1 | ST_FR
        mtc0    $t1, C0_STATUS
        ehb
        .set    push
        .set    fp=64
        ldc1    $f2, 0($t0)
        ldc1    $f3, 0($t0)
        .globl  fr1
fr1:    nop
        sdc1    $f2, 24($t0)
        sdc1    $f3, 32($t0)
        .set    pop
        cfc1    $t1, $0
        sw      $t1, 40($t0)
        .globl  stored
stored: nop
TEST_END

        .globl  test_other
test_other:
        li      $s0, CALLS
1:      jal     step
        nop
        bnez    $s0, 1b
        addiu   $s0, $s0, -1
        la      $t0, other_done
        li      $t1, 1
        sw      $t1, 0($t0)
2:      b       2b
        nop

        .globl  step
        .ent    step
step:   addiu   $s1, $s1, 1
        jr      $ra
        addiu   $s2, $s2, 1
        .end    step

        .data
        .balign 64
        .globl  value
value:  .word   0, 0x40080000           /* 3.0 */
        .space  56
        .globl  other_done
other_done: .word 0
