/* lwxc1, ldxc1, swxc1, sdxc1 add two registers; luxc1 and suxc1 ignore the low three bits; prefx changes nothing. */
#include "fp.h"
        .set    fp=64
TEST
        SET_STATUS ST_CU1 | ST_FR
        la      $t0, words
        li      $t1, 8
        lwxc1   $f4, $t1($t0)
        CHECK_SINGLE 4, 0x01020304
        ldxc1   $f6, $t1($t0)
        CHECK_DOUBLE 6, 0x05060708, 0x01020304
        li      $t2, 16
        sdxc1   $f6, $t2($t0)
        lw      $t3, 20($t0)
        CHECK   $t3, 0x05060708
        li      $t2, 20
        swxc1   $f6, $t2($t0)
        lw      $t3, 20($t0)
        CHECK   $t3, 0x01020304
        li      $t2, 5
        luxc1   $f8, $t2($t0)
        CHECK_DOUBLE 8, 0x9abcdef0, 0x12345678
        li      $t2, 23
        suxc1   $f8, $t2($t0)
        lw      $t3, 16($t0)
        CHECK   $t3, 0x12345678
        prefx   4, $t2($zero)
        EXPECT  EXC_ADEL, ldxc1 $f6, $t2($t0)
        EXPECT  EXC_ADES, swxc1 $f6, $t2($t0)
        CHECK_STATE S_BADVADDR, words + 23
TEST_END
        .data
        .balign 32
words:  .word   0x12345678, 0x9abcdef0, 0x01020304, 0x05060708, 0, 0
