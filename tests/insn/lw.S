/* lw: every position, negative offsets, base replaced by the value. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x5a5a5a5a
        lw      $t1, -4($t0)
        CHECK   $t1, 0xf4338211
        li      $t1, 0x5a5a5a5a
        lw      $t1, 0($t0)
        CHECK   $t1, 0xc877a655
        li      $t1, 0x5a5a5a5a
        lw      $t1, 4($t0)
        CHECK   $t1, 0x00ff807f
        lw      $t0, 0($t0)
        CHECK   $t0, 0xc877a655
        la      $t0, bytes + 0x8000
        lw      $t1, -0x8000($t0)
        CHECK   $t1, 0xf4338211
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
