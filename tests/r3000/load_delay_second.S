/* A second load of the register in the slot of the first cancels it: the slot of the second still sees the value from
 * before both, and the register ends with the second one's.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t1, 0x22
        sw      $t1, 4($t0)
        li      $t2, 0x33
        lw      $t2, 0($t0)
        lw      $t2, 4($t0)
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x33
        CHECK   $t4, 0x22
TEST_END
