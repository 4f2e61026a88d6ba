/* A load directly after a store to the same word loads what was stored; a store in a load's slot does not change
 * what is being loaded. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x11
        li      $t2, 0x22
        sw      $t1, 0($t0)
        lw      $t3, 0($t0)
        sw      $t2, 0($t0)
        CHECK   $t3, 0x11
        CHECK_WORD 0, $t0, 0x22
        sb      $t1, 1($t0)
        lw      $t3, 0($t0)
        nop
        CHECK   $t3, 0x1122
TEST_END
