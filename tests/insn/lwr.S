/* lwr: all four alignments; the other bytes of rt stay. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x12345678
        lwr     $t1, 0($t0)
        CHECK   $t1, 0xc877a655
        li      $t1, 0xffffffff
        lwr     $t1, 0($t0)
        CHECK   $t1, 0xc877a655
        li      $t1, 0x12345678
        lwr     $t1, 1($t0)
        CHECK   $t1, 0x12c877a6
        li      $t1, 0xffffffff
        lwr     $t1, 1($t0)
        CHECK   $t1, 0xffc877a6
        li      $t1, 0x12345678
        lwr     $t1, 2($t0)
        CHECK   $t1, 0x1234c877
        li      $t1, 0xffffffff
        lwr     $t1, 2($t0)
        CHECK   $t1, 0xffffc877
        li      $t1, 0x12345678
        lwr     $t1, 3($t0)
        CHECK   $t1, 0x123456c8
        li      $t1, 0xffffffff
        lwr     $t1, 3($t0)
        CHECK   $t1, 0xffffffc8
        addiu   $t0, $t0, 2
        move    $t1, $t0
        lwr     $t0, -1($t0)
        srl     $t0, $t0, 24
        CHECK   $t0, 0x80
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
