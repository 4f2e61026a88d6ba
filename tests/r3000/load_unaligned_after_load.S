/* lwl or lwr directly after another load of the register merges with what that one loads, not with the old value. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x44332211
        sw      $t1, 0($t0)
        li      $t1, 0x88776655
        sw      $t1, 4($t0)
        li      $t2, 0x5a5a5a5a
        lw      $t2, 4($t0)
        lwl     $t2, 1($t0)
        nop
        CHECK   $t2, 0x22116655
        li      $t2, 0x5a5a5a5a
        lbu     $t2, 4($t0)
        lwr     $t2, 2($t0)
        nop
        CHECK   $t2, 0x00004433
        li      $t2, 0x5a5a5a5a
        lw      $t2, 4($t0)
        nop
        lwl     $t2, 1($t0)
        nop
        CHECK   $t2, 0x22116655
TEST_END
