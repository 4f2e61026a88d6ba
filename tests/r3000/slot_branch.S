/* A branch or jump in the delay slot of a taken one: the first instruction at the first target is its slot. A branch's
 * offset counts from there, not from its own address (the book forbids it; the tests of PCSX-Redux, which run on an
 * R3000A: src/mips/tests/cpu/branchbranch.s), a jump takes its region from there, and links to the address behind it.
 * gxemul: no (it leaves the first target at once) */
#include "test.h"

        /* FIRST goes to 1f with SECOND in its slot, whose label 2f stands as far from its own next word as 4f from 1f.
         * Ends in 9f with the marks 1 of the slot at 1f and 4 of 4f in $t0. */
        .macro  RELATIVE first, second
        la      $t1, 1f
        li      $t0, 0
        \first
        \second
7:      nop
        FAIL
1:      ori     $t0, $t0, 1             /* the slot of the second branch */
        nop
        b       9f                      /* the first target goes no further */
        ori     $t0, $t0, 64
        FAIL
2:      ori     $t0, $t0, 2             /* the second one's target from its own address */
        b       9f
        nop
        .org    1b + (2b - 7b)
4:      ori     $t0, $t0, 4             /* the same offset from 1 */
        b       9f
        nop
9:      CHECK   $t0, 5
        .endm
        /* The same of a SECOND with a target that does not depend on its address: 2f, or $t2, which is 2f. */
        .macro  ABSOLUTE first, second
        la      $t1, 1f
        la      $t2, 2f
        li      $t0, 0
        \first
        \second
        FAIL
1:      ori     $t0, $t0, 1
        ori     $t0, $t0, 16
        FAIL
2:      CHECK   $t0, 1
        .endm
        /* SECOND, in the slot of FIRST, is not taken: the first target goes on. */
        .macro  NOT_TAKEN first, second
        la      $t1, 1f
        li      $t0, 0
        \first
        \second
        FAIL
1:      ori     $t0, $t0, 1
        ori     $t0, $t0, 2
        b       3f
        nop
2:      FAIL
        .rept   8
        nop
        .endr
        FAIL
3:      CHECK   $t0, 3
        .endm

TEST
        li      $t3, 1
        li      $t4, -1
        RELATIVE "b 1f", "b 2f"
        RELATIVE "j 1f", "b 2f"
        RELATIVE "jr $t1", "b 2f"
        RELATIVE "bne $t3, $zero, 1f", "beq $t3, $t3, 2f"
        RELATIVE "b 1f", "bne $t3, $zero, 2f"
        RELATIVE "b 1f", "blez $t4, 2f"
        RELATIVE "b 1f", "bgtz $t3, 2f"
        RELATIVE "b 1f", "bltz $t4, 2f"
        RELATIVE "b 1f", "bgez $t3, 2f"

        /* what branches link to, taken or not */
        RELATIVE "jalr $t5, $t1", "bgezal $t3, 2f"
        la      $t6, 1b + 4
        CHECK_SAME $ra, $t6
        la      $t6, 7b
        CHECK_SAME $t5, $t6             /* the first one's link is from its own slot */
        RELATIVE "jr $t1", "bltzal $t4, 2f"
        la      $t6, 1b + 4
        CHECK_SAME $ra, $t6
        NOT_TAKEN "jr $t1", "bltzal $t3, 2f"
        la      $t6, 1b + 4
        CHECK_SAME $ra, $t6

        ABSOLUTE "b 1f", "j 2f"
        ABSOLUTE "j 1f", "j 2f"
        ABSOLUTE "jr $t1", "jr $t2"
        ABSOLUTE "b 1f", "jr $t2"
        ABSOLUTE "b 1f", "jal 2f"
        la      $t6, 1b + 4
        CHECK_SAME $ra, $t6
        ABSOLUTE "j 1f", "jalr $t5, $t2"
        la      $t6, 1b + 4
        CHECK_SAME $t5, $t6

        NOT_TAKEN "b 1f", "bne $zero, $zero, 2f"
        NOT_TAKEN "j 1f", "bltz $t3, 2f"
        NOT_TAKEN "jr $t1", "beq $t3, $zero, 2f"

        li      $t0, 0                  /* the first one is not taken: two slots in a row, offsets as ever */
        bnez    $zero, 1f
        b       2f
        addiu   $t0, $t0, 1
        FAIL
1:      FAIL
2:      CHECK   $t0, 1

        li      $t0, 0                  /* three in a row: each counts from the target of the one before */
        b       1f
        b       2f
7:      FAIL
1:      b       3f
8:      FAIL
        .rept   24
        nop
        .endr
2:      FAIL
        .org    1b + (2b - 7b)
4:      ori     $t0, $t0, 1             /* the slot of the third */
        FAIL
3:      FAIL
        .org    4b + (3b - 8b)
5:      b       6f
        ori     $t0, $t0, 2
        FAIL
6:      CHECK   $t0, 3

        /* from kseg0 by way of kseg1: j stays there */
        la      $t1, 1f
        li      $t2, 0x20000000
        or      $t1, $t1, $t2
        jr      $t1
        j       2f
        FAIL
1:      nop
        FAIL
2:      bgezal  $zero, 3f
        nop
3:      srl     $t0, $ra, 28
        la      $t1, 4f
        jr      $t1
        nop
4:      CHECK   $t0, 10
TEST_END
