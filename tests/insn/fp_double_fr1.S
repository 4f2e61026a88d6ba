/* Status.FR = 1: 32 registers of 64 bits; odd ones hold doubles too, and do not meet the even ones. */
#include "fp.h"
        .set    fp=64
TEST
        SET_STATUS ST_CU1 | ST_FR
        la      $t0, words
        ldc1    $f4, 0($t0)
        ldc1    $f5, 8($t0)
        mfc1    $t1, $f4
        CHECK   $t1, 0x12345678
        mfhc1   $t1, $f4
        CHECK   $t1, 0x9abcdef0
        mfc1    $t1, $f5
        CHECK   $t1, 0x01020304
        mfhc1   $t1, $f5
        CHECK   $t1, 0x05060708
        mov.d   $f31, $f5
        mtc1    $zero, $f30
        mthc1   $zero, $f30
        sdc1    $f31, 16($t0)
        lw      $t1, 16($t0)
        CHECK   $t1, 0x01020304
        lw      $t1, 20($t0)
        CHECK   $t1, 0x05060708
        li      $t1, 0x77778888
        mthc1   $t1, $f31
        mfc1    $t1, $f31
        CHECK   $t1, 0x01020304
        DOUBLE  1, 0x3ff00000, 0       /* 1.0 + 2.0 in odd registers */
        DOUBLE  3, 0x40000000, 0
        add.d   $f7, $f1, $f3
        CHECK_DOUBLE 7, 0x40080000, 0
        swc1    $f5, 16($t0)
        lw      $t1, 16($t0)
        CHECK   $t1, 0x01020304
TEST_END
        .data
        .balign 32
words:  .word   0x12345678, 0x9abcdef0, 0x01020304, 0x05060708, 0, 0
