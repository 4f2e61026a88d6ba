/* No delay: results of the ALU, of mfhi and mflo, and links are there for the next instruction. */
#include "test.h"
TEST
        li      $t2, 1
        addiu   $t2, $t2, 1
        addu    $t2, $t2, $t2
        move    $t3, $t2
        CHECK   $t3, 4
        li      $t0, 6
        mult    $t0, $t0
        mflo    $t2
        move    $t3, $t2
        CHECK   $t3, 36
        mfhi    $t2
        move    $t3, $t2
        CHECK   $t3, 0
        bgezal  $zero, 1f
        move    $t3, $ra                /* the slot sees the link */
1:      CHECK   $t3, 1b
TEST_END
