/* Branches in the slots of which every register hazard occurs: compare register overwritten in the slot, link register
 * used in the slot, counter both tested and changed. */
#include "test.h"
TEST
        li      $t0, 1
        bnez    $t0, 1f
        li      $t0, 0
        FAIL
1:      CHECK   $t0, 0
        li      $t0, 0
        beqz    $t0, 1f
        li      $t0, 1
        FAIL
1:      CHECK   $t0, 1
        li      $t3, 0
        bal     1f
        addu    $t3, $t3, $ra
8:      FAIL
1:      CHECK   $t3, 8b
        li      $ra, -1
        bltzal  $zero, 1f
        move    $t3, $ra
8:      CHECK   $t3, 8b
        b       2f
        nop
1:      FAIL
2:
TEST_END
