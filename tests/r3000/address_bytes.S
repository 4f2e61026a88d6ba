/* Byte accesses, lwl, lwr, swl and swr have no alignment: no address error for any of the four places in a word. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x44332211
        .irp    place, 0, 1, 2, 3
        sw      $t1, 0($t0)
        lbu     $t2, \place($t0)
        nop
        CHECK   $t2, 0x11 * (\place + 1)
        lb      $t2, \place($t0)
        nop
        CHECK   $t2, 0x11 * (\place + 1)
        sb      $t2, \place($t0)
        CHECK_WORD 0, $t0, 0x44332211
        lwl     $t2, \place($t0)
        lwr     $t2, \place($t0)
        swl     $t2, \place($t0)
        swr     $t2, \place($t0)
        .endr
        CHECK_STATE S_COUNT, 0
TEST_END
