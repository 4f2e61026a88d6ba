/* lwl with lwr, swl with swr: whole words at every alignment. */
#include "test.h"
TEST
        la      $t0, bytes
        lwr     $t1, 0($t0)
        lwl     $t1, 3($t0)
        CHECK   $t1, 0xf4338211
        lwr     $t1, 1($t0)
        lwl     $t1, 4($t0)
        CHECK   $t1, 0x55f43382
        lwr     $t1, 2($t0)
        lwl     $t1, 5($t0)
        CHECK   $t1, 0xa655f433
        lwr     $t1, 3($t0)
        lwl     $t1, 6($t0)
        CHECK   $t1, 0x77a655f4
        lwr     $t1, 4($t0)
        lwl     $t1, 7($t0)
        CHECK   $t1, 0xc877a655
        la      $t3, copy
        li      $t1, 0x9abcdef0
        swl     $t1, 3($t3)
        swr     $t1, 0($t3)
        lwl     $t2, 3($t3)
        lwr     $t2, 0($t3)
        CHECK   $t2, 0x9abcdef0
        li      $t1, 0x9abcdef1
        swl     $t1, 4($t3)
        swr     $t1, 1($t3)
        lwl     $t2, 4($t3)
        lwr     $t2, 1($t3)
        CHECK   $t2, 0x9abcdef1
        li      $t1, 0x9abcdef2
        swl     $t1, 5($t3)
        swr     $t1, 2($t3)
        lwl     $t2, 5($t3)
        lwr     $t2, 2($t3)
        CHECK   $t2, 0x9abcdef2
        li      $t1, 0x9abcdef3
        swl     $t1, 6($t3)
        swr     $t1, 3($t3)
        lwl     $t2, 6($t3)
        lwr     $t2, 3($t3)
        CHECK   $t2, 0x9abcdef3
        li      $t1, 0x9abcdef4
        swl     $t1, 7($t3)
        swr     $t1, 4($t3)
        lwl     $t2, 7($t3)
        lwr     $t2, 4($t3)
        CHECK   $t2, 0x9abcdef4
TEST_END

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
copy:   .space  16
