/* cvt.d.s is exact, cvt.s.d rounds and overflows. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0
        SINGLE  f20, 0x3f800000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0xc0490fdb
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0xc00921fb, 0x60000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0x00000000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0x80000000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x80000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0x7f800000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x7ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0xff800000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0xfff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0x00800000
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x38100000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        SINGLE  f20, 0x7f7fffff
        cvt.d.s $f24, $f20
        CHECK_DOUBLE f24, 0x47efffff, 0xe0000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x3ff00000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x3f800000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0xc0080000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0xc0400000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x00000000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x80000000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x80000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x7ff00000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x7f800000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0xfff00000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0xff800000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x400921fb, 0x54442d18
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x40490fdb
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR 0
        DOUBLE  f20, 0x47efffff, 0xe0000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x7f7fffff
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x47f00000, 0x00000000
        cvt.s.d $f24, $f20
        CHECK_SINGLE f24, 0x7f800000
        CHECK_FCSR FC_FLAGS, FC_FLAG_O | FC_FLAG_I
TEST_END
