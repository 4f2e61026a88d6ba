/* The slot of lwl and lwr sees the register's old value, and the slot of a pair the value from before both.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x44332211
        sw      $t1, 0($t0)
        li      $t2, 0xaabbccdd
        lwl     $t2, 1($t0)
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0xaabbccdd
        CHECK   $t4, 0x2211ccdd
        li      $t2, 0xaabbccdd
        lwr     $t2, 2($t0)
        move    $t3, $t2
        nop
        CHECK   $t3, 0xaabbccdd
        CHECK   $t2, 0xaabb4433
        li      $t2, 0xaabbccdd
        lwl     $t2, 1($t0)
        lwr     $t2, 2($t0)
        move    $t3, $t2
        nop
        CHECK   $t3, 0xaabbccdd
        CHECK   $t2, 0x22114433
TEST_END
