/* movf, movt (general and FP registers), movz.fmt, movn.fmt. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0x08000000             /* condition 3 */
        li      $t0, 5
        li      $t1, 1
        movt    $t1, $t0, $fcc0
        CHECK   $t1, 1
        movf    $t1, $t0, $fcc3
        CHECK   $t1, 1
        movt    $t1, $t0, $fcc3
        CHECK   $t1, 5
        li      $t1, 1
        movf    $t1, $t0, $fcc7
        CHECK   $t1, 5
        movf    $zero, $t0, $fcc7
        CHECK   $zero, 0
        SINGLE  20, 0x7f800001
        SINGLE  24, 1
        movt.s  $f24, $f20, $fcc2
        CHECK_SINGLE 24, 1
        movt.s  $f24, $f20, $fcc3
        CHECK_SINGLE 24, 0x7f800001
        SINGLE  24, 1
        movf.s  $f24, $f20, $fcc3
        CHECK_SINGLE 24, 1
        movf.s  $f24, $f20, $fcc1
        CHECK_SINGLE 24, 0x7f800001
        DOUBLE  20, 0x7ff00000, 1
        DOUBLE  24, 0, 1
        movf.d  $f24, $f20, $fcc3
        CHECK_DOUBLE 24, 0, 1
        movt.d  $f24, $f20, $fcc3
        CHECK_DOUBLE 24, 0x7ff00000, 1
        SINGLE  20, 7
        SINGLE  24, 1
        movz.s  $f24, $f20, $t0
        CHECK_SINGLE 24, 1
        movz.s  $f24, $f20, $zero
        CHECK_SINGLE 24, 7
        SINGLE  24, 1
        movn.s  $f24, $f20, $zero
        CHECK_SINGLE 24, 1
        movn.s  $f24, $f20, $t0
        CHECK_SINGLE 24, 7
        DOUBLE  24, 0, 1
        DOUBLE  20, 3, 4
        movn.d  $f24, $f20, $zero
        CHECK_DOUBLE 24, 0, 1
        movn.d  $f24, $f20, $t0
        CHECK_DOUBLE 24, 3, 4
        DOUBLE  24, 0, 1
        movz.d  $f24, $f20, $zero
        CHECK_DOUBLE 24, 3, 4
        CHECK_FCSR FC_FLAGS | FC_CAUSES, 0
TEST_END
