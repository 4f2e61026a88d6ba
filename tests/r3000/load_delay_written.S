/* An instruction in the slot that writes the register wins: the load's value is lost.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t2, 0x33
        lw      $t2, 0($t0)
        addiu   $t2, $zero, 0x44
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x44
        CHECK   $t4, 0x44
        li      $t2, 0x33               /* also when it computes from the old value */
        lw      $t2, 0($t0)
        addiu   $t2, $t2, 1
        nop
        CHECK   $t2, 0x34
        lw      $ra, 0($t0)             /* and a link */
        bgezal  $zero, 1f
        nop
1:      nop
        CHECK   $ra, 1b
TEST_END
