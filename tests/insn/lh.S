/* lh: every position, sign, negative offsets, base replaced by the value. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x5a5a5a5a
        lh      $t1, -4($t0)
        CHECK   $t1, 0xffff8211
        li      $t1, 0x5a5a5a5a
        lh      $t1, -2($t0)
        CHECK   $t1, 0xfffff433
        li      $t1, 0x5a5a5a5a
        lh      $t1, 0($t0)
        CHECK   $t1, 0xffffa655
        li      $t1, 0x5a5a5a5a
        lh      $t1, 2($t0)
        CHECK   $t1, 0xffffc877
        li      $t1, 0x5a5a5a5a
        lh      $t1, 4($t0)
        CHECK   $t1, 0xffff807f
        li      $t1, 0x5a5a5a5a
        lh      $t1, 6($t0)
        CHECK   $t1, 0x000000ff
        lh      $t0, 0($t0)
        CHECK   $t0, 0xffffa655
        la      $t0, bytes + 0x8000
        lh      $t1, -0x8000($t0)
        CHECK   $t1, 0xffff8211
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
