/* A branch in the delay slot of a taken branch: one instruction executes at the first target, then control goes to the
 * second target (the book forbids it; this is what the pipeline does, measured on R3000A hardware).
 * gxemul: no (it leaves the first target at once) */
#include "test.h"
TEST
        li      $t0, 0
        b       1f
        b       2f
        FAIL
        FAIL
1:      addiu   $t0, $t0, 1
        addiu   $t0, $t0, 0x10
        addiu   $t0, $t0, 0x100
        FAIL
2:      CHECK   $t0, 1
        la      $t1, 1f                 /* the same with jumps by register */
        la      $t2, 2f
        li      $t0, 0
        jr      $t1
        jr      $t2
        FAIL
1:      addiu   $t0, $t0, 1
        addiu   $t0, $t0, 0x10
        FAIL
2:      CHECK   $t0, 1
        li      $t0, 0                  /* the second one is not taken: the first target goes on */
        b       1f
        bnez    $zero, 2f
        FAIL
1:      addiu   $t0, $t0, 1
        addiu   $t0, $t0, 0x10
        b       3f
        nop
2:      FAIL
3:      CHECK   $t0, 0x11
        li      $t0, 0                  /* the first one is not taken: two slots in a row */
        bnez    $zero, 1f
        b       2f
        addiu   $t0, $t0, 1
        FAIL
1:      FAIL
2:      CHECK   $t0, 1
TEST_END
