/* The four rounding modes on double operations of either sign, exact, inexact, overflowing. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ca00000, 0x00000000
        SET_FCSR RM_NEAREST
        add.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_NEAREST
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3fd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0xbff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_NEAREST
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xbfd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x7fefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_NEAREST
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x7ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0xffefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_NEAREST
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xfff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR RM_NEAREST
        sub.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ca00000, 0x00000000
        SET_FCSR RM_ZERO
        add.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_ZERO
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3fd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0xbff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_ZERO
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xbfd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x7fefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_ZERO
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x7fefffff, 0xffffffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0xffefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_ZERO
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xffefffff, 0xffffffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR RM_ZERO
        sub.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ca00000, 0x00000000
        SET_FCSR RM_UP
        add.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000001
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_UP
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3fd55555, 0x55555556
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0xbff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_UP
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xbfd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x7fefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_UP
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x7ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0xffefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_UP
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xffefffff, 0xffffffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR RM_UP
        sub.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ca00000, 0x00000000
        SET_FCSR RM_DOWN
        add.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_DOWN
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x3fd55555, 0x55555555
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0xbff00000, 0x00000000
        DOUBLE  f22, 0x40080000, 0x00000000
        SET_FCSR RM_DOWN
        div.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xbfd55555, 0x55555556
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        DOUBLE  f20, 0x7fefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_DOWN
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x7fefffff, 0xffffffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0xffefffff, 0xffffffff
        DOUBLE  f22, 0x40000000, 0x00000000
        SET_FCSR RM_DOWN
        mul.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0xfff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        DOUBLE  f20, 0x3ff00000, 0x00000000
        DOUBLE  f22, 0x3ff00000, 0x00000000
        SET_FCSR RM_DOWN
        sub.d   $f24, $f20, $f22
        CHECK_DOUBLE f24, 0x80000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
TEST_END
