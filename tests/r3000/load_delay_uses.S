/* Whatever the slot of a load does with the register, it sees the old value: as an operand, as an address, as what a
 * store stores, as a branch's condition, as a jump's target, as a multiplier.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x00000007
        sw      $t1, 0($t0)
        li      $t2, 3
        lw      $t2, 0($t0)
        addu    $t3, $t2, $t2
        CHECK   $t3, 6
        CHECK   $t2, 7
        li      $t2, 3                  /* a store stores it */
        lw      $t2, 0($t0)
        sw      $t2, 4($t0)
        CHECK_WORD 4, $t0, 3
        move    $t4, $t0                /* an address */
        lw      $t4, 0($t4)
        sw      $t1, 8($t4)
        CHECK_WORD 8, $t0, 7
        CHECK   $t4, 7
        li      $t2, 0                  /* a condition: still zero */
        lw      $t2, 0($t0)
        bnez    $t2, 1f
        nop
        b       2f
        nop
1:      FAIL
2:      la      $t5, 3f                 /* a target */
        la      $t6, 4f
        sw      $t6, 12($t0)
        lw      $t5, 12($t0)
        jr      $t5
        nop
4:      FAIL
3:      CHECK   $t5, 4b
        li      $t2, 3                  /* a multiplier */
        lw      $t2, 0($t0)
        mult    $t2, $t2
        mflo    $t3
        CHECK   $t3, 9
TEST_END
