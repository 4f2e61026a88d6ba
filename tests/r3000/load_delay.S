/* The instruction after a load sees the old value of the register, the second one the new: lw, lh, lhu, lb, lbu.
 * gxemul: no (it has no load delays) */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x8182f384
        sw      $t1, 0($t0)
        .macro  DELAY load, value
        li      $t2, 0x5a5a5a5a
        \load   $t2, 0($t0)
        move    $t3, $t2
        move    $t4, $t2
        CHECK   $t3, 0x5a5a5a5a
        CHECK   $t4, \value
        .endm
        DELAY   lw, 0x8182f384
        DELAY   lh, 0xfffff384
        DELAY   lhu, 0xf384
        DELAY   lb, 0xffffff84
        DELAY   lbu, 0x84
TEST_END
