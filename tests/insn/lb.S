/* lb: every position, sign, negative offsets, base replaced by the value. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x5a5a5a5a
        lb      $t1, -4($t0)
        CHECK   $t1, 0x00000011
        li      $t1, 0x5a5a5a5a
        lb      $t1, -3($t0)
        CHECK   $t1, 0xffffff82
        li      $t1, 0x5a5a5a5a
        lb      $t1, -2($t0)
        CHECK   $t1, 0x00000033
        li      $t1, 0x5a5a5a5a
        lb      $t1, -1($t0)
        CHECK   $t1, 0xfffffff4
        li      $t1, 0x5a5a5a5a
        lb      $t1, 0($t0)
        CHECK   $t1, 0x00000055
        li      $t1, 0x5a5a5a5a
        lb      $t1, 1($t0)
        CHECK   $t1, 0xffffffa6
        li      $t1, 0x5a5a5a5a
        lb      $t1, 2($t0)
        CHECK   $t1, 0x00000077
        li      $t1, 0x5a5a5a5a
        lb      $t1, 3($t0)
        CHECK   $t1, 0xffffffc8
        li      $t1, 0x5a5a5a5a
        lb      $t1, 4($t0)
        CHECK   $t1, 0x0000007f
        li      $t1, 0x5a5a5a5a
        lb      $t1, 5($t0)
        CHECK   $t1, 0xffffff80
        li      $t1, 0x5a5a5a5a
        lb      $t1, 6($t0)
        CHECK   $t1, 0xffffffff
        li      $t1, 0x5a5a5a5a
        lb      $t1, 7($t0)
        CHECK   $t1, 0x00000000
        lb      $t0, 0($t0)
        CHECK   $t0, 0x00000055
        la      $t0, bytes + 0x8000
        lb      $t1, -0x8000($t0)
        CHECK   $t1, 0x00000011
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
