/* Loads of different registers in a row: each has its own slot.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        sw      $t1, 0($t0)
        li      $t1, 0x22
        sw      $t1, 4($t0)
        li      $t1, 0x33
        sw      $t1, 8($t0)
        li      $t2, 2
        li      $t3, 3
        li      $t4, 4
        lw      $t2, 0($t0)
        lw      $t3, 4($t0)
        lw      $t4, 8($t0)
        addu    $t5, $t2, $t3           /* 0x11 and 0x22 have arrived, t4 has not */
        addu    $t5, $t5, $zero
        addu    $t6, $t4, $zero
        CHECK   $t5, 0x33
        CHECK   $t6, 0x33
        li      $t2, 2
        li      $t3, 3
        lw      $t2, 0($t0)
        lw      $t3, 4($t0)
        addu    $t5, $t2, $t3
        CHECK   $t5, 0x14
TEST_END
