/* lwl: all four alignments; the other bytes of rt stay. */
#include "test.h"
TEST
        la      $t0, bytes + 4
        li      $t1, 0x12345678
        lwl     $t1, 0($t0)
        CHECK   $t1, 0x55345678
        li      $t1, 0xffffffff
        lwl     $t1, 0($t0)
        CHECK   $t1, 0x55ffffff
        li      $t1, 0x12345678
        lwl     $t1, 1($t0)
        CHECK   $t1, 0xa6555678
        li      $t1, 0xffffffff
        lwl     $t1, 1($t0)
        CHECK   $t1, 0xa655ffff
        li      $t1, 0x12345678
        lwl     $t1, 2($t0)
        CHECK   $t1, 0x77a65578
        li      $t1, 0xffffffff
        lwl     $t1, 2($t0)
        CHECK   $t1, 0x77a655ff
        li      $t1, 0x12345678
        lwl     $t1, 3($t0)
        CHECK   $t1, 0xc877a655
        li      $t1, 0xffffffff
        lwl     $t1, 3($t0)
        CHECK   $t1, 0xc877a655
        addiu   $t0, $t0, 2
        move    $t1, $t0
        lwl     $t0, -1($t0)
        srl     $t0, $t0, 24
        CHECK   $t0, 0xa6
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
