/* The four rounding modes on single operations of either sign, exact, inexact, overflowing. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x33800000
        SET_FCSR RM_NEAREST
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0xb3800000
        SET_FCSR RM_NEAREST
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbf800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_NEAREST
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3eaaaaab
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_NEAREST
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbeaaaaab
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x7f7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_NEAREST
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x7f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0xff7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_NEAREST
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xff800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x3f800000
        SET_FCSR RM_NEAREST
        sub.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        SET_FCSR RM_NEAREST
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800002
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x33800000
        SET_FCSR RM_ZERO
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0xb3800000
        SET_FCSR RM_ZERO
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbf800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_ZERO
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3eaaaaaa
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_ZERO
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbeaaaaaa
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x7f7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_ZERO
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x7f7fffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0xff7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_ZERO
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xff7fffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x3f800000
        SET_FCSR RM_ZERO
        sub.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        SET_FCSR RM_ZERO
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800002
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x33800000
        SET_FCSR RM_UP
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800001
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0xb3800000
        SET_FCSR RM_UP
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbf800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_UP
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3eaaaaab
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_UP
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbeaaaaaa
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x7f7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_UP
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x7f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0xff7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_UP
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xff7fffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x3f800000
        SET_FCSR RM_UP
        sub.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        SET_FCSR RM_UP
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800003
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x33800000
        SET_FCSR RM_DOWN
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0xb3800000
        SET_FCSR RM_DOWN
        add.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbf800001
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_DOWN
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3eaaaaaa
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0xbf800000
        SINGLE  f22, 0x40400000
        SET_FCSR RM_DOWN
        div.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xbeaaaaab
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SINGLE  f20, 0x7f7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_DOWN
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x7f7fffff
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0xff7fffff
        SINGLE  f22, 0x40000000
        SET_FCSR RM_DOWN
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0xff800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
        SINGLE  f20, 0x3f800000
        SINGLE  f22, 0x3f800000
        SET_FCSR RM_DOWN
        sub.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x80000000
        CHECK_FCSR FC_FLAGS, 0
        SINGLE  f20, 0x3f800001
        SINGLE  f22, 0x3f800001
        SET_FCSR RM_DOWN
        mul.s   $f24, $f20, $f22
        CHECK_SINGLE f24, 0x3f800002
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
TEST_END
