/* Conversions from and to 64-bit integers. */
#include "fp.h"
        .set    fp=64
TEST
        SET_STATUS ST_CU1 | ST_FR
        SET_FCSR 0
        DOUBLE  f20, 0x3ff80000, 0x00000000
        cvt.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000002
        trunc.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000001
        SET_FCSR 0
        DOUBLE  f20, 0xc0040000, 0x00000000
        cvt.l.d $f24, $f20
        CHECK_DOUBLE f24, 0xffffffff, 0xfffffffe
        trunc.l.d $f24, $f20
        CHECK_DOUBLE f24, 0xffffffff, 0xfffffffe
        SET_FCSR 0
        DOUBLE  f20, 0x433fffff, 0xffffffff
        cvt.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x001fffff, 0xffffffff
        trunc.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x001fffff, 0xffffffff
        SET_FCSR 0
        DOUBLE  f20, 0xc3e00000, 0x00000000
        cvt.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x80000000, 0x00000000
        trunc.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x80000000, 0x00000000
        SET_FCSR 0
        DOUBLE  f20, 0x00000000, 0x00000000
        cvt.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        trunc.l.d $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        SET_FCSR 0
        DOUBLE  f20, 0x00000000, 0x00000000
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0x00000000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x00000000, 0x00000001
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0x3ff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0x3f800000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0xffffffff, 0xffffffff
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0xbff00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0xbf800000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x00200000, 0x00000001
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0x43400000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0x5a000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR 0
        DOUBLE  f20, 0x80000000, 0x00000000
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0xc3e00000, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0xdf000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR 0
        DOUBLE  f20, 0x7fffffff, 0xffffffff
        cvt.d.l $f24, $f20
        CHECK_DOUBLE f24, 0x43e00000, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR 0
        cvt.s.l $f24, $f20
        CHECK_SINGLE f24, 0x5f000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
TEST_END
