/* lhu: every position, no sign, negative offsets, base replaced by the value. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x5a5a5a5a
        lhu     $t1, -4($t0)
        CHECK   $t1, 0x00008211
        li      $t1, 0x5a5a5a5a
        lhu     $t1, -2($t0)
        CHECK   $t1, 0x0000f433
        li      $t1, 0x5a5a5a5a
        lhu     $t1, 0($t0)
        CHECK   $t1, 0x0000a655
        li      $t1, 0x5a5a5a5a
        lhu     $t1, 2($t0)
        CHECK   $t1, 0x0000c877
        li      $t1, 0x5a5a5a5a
        lhu     $t1, 4($t0)
        CHECK   $t1, 0x0000807f
        li      $t1, 0x5a5a5a5a
        lhu     $t1, 6($t0)
        CHECK   $t1, 0x000000ff
        lhu     $t0, 0($t0)
        CHECK   $t0, 0x0000a655
        la      $t0, bytes + 0x8000
        lhu     $t1, -0x8000($t0)
        CHECK   $t1, 0x00008211
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
