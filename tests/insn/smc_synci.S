/* Code written by stores executes after synci, again and again at the same place: the usual sequence. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x03e00008         /* jr $ra */
        sw      $t1, 0($t0)
        li      $t3, 0
        li      $t4, 0
1:      li      $t1, 0x24420001         /* addiu $v0, $v0, N */
        addu    $t1, $t1, $t3
        sw      $t1, 4($t0)
        synci   4($t0)
        sync
        move    $v0, $zero
        jalr.hb $t0
        nop
        addiu   $t3, $t3, 1
        addu    $t4, $t4, $v0
        li      $t5, 50
        bne     $t3, $t5, 1b
        nop
        CHECK   $t4, 50 * 51 / 2
TEST_END
