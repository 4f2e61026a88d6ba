/* Conversions from and to 64-bit integers. */
#include "fp.h"
        .set    fp=64
TEST
        SET_STATUS ST_CU1 | ST_FR
        DOUBLE_1 cvt.l.d, 0x3ff80000, 0x00000000, 0x00000000, 0x00000002, FC_I
        DOUBLE_1 trunc.l.d, 0x3ff80000, 0x00000000, 0x00000000, 0x00000001, FC_I
        DOUBLE_1 cvt.l.d, 0xc0040000, 0x00000000, 0xffffffff, 0xfffffffe, FC_I
        DOUBLE_1 trunc.l.d, 0xc0040000, 0x00000000, 0xffffffff, 0xfffffffe, FC_I
        DOUBLE_1 cvt.l.d, 0x433fffff, 0xffffffff, 0x001fffff, 0xffffffff, 0
        DOUBLE_1 trunc.l.d, 0x433fffff, 0xffffffff, 0x001fffff, 0xffffffff, 0
        DOUBLE_1 cvt.l.d, 0xc3e00000, 0x00000000, 0x80000000, 0x00000000, 0
        DOUBLE_1 trunc.l.d, 0xc3e00000, 0x00000000, 0x80000000, 0x00000000, 0
        DOUBLE_1 cvt.l.d, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0
        DOUBLE_1 trunc.l.d, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0
        DOUBLE_1 cvt.d.l, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0
        FROM_DOUBLE cvt.s.l, 0x00000000, 0x00000000, 0x00000000, 0
        DOUBLE_1 cvt.d.l, 0x00000000, 0x00000001, 0x3ff00000, 0x00000000, 0
        FROM_DOUBLE cvt.s.l, 0x00000000, 0x00000001, 0x3f800000, 0
        DOUBLE_1 cvt.d.l, 0xffffffff, 0xffffffff, 0xbff00000, 0x00000000, 0
        FROM_DOUBLE cvt.s.l, 0xffffffff, 0xffffffff, 0xbf800000, 0
        DOUBLE_1 cvt.d.l, 0x00200000, 0x00000001, 0x43400000, 0x00000000, FC_I
        FROM_DOUBLE cvt.s.l, 0x00200000, 0x00000001, 0x5a000000, FC_I
        DOUBLE_1 cvt.d.l, 0x80000000, 0x00000000, 0xc3e00000, 0x00000000, 0
        FROM_DOUBLE cvt.s.l, 0x80000000, 0x00000000, 0xdf000000, 0
        DOUBLE_1 cvt.d.l, 0x7fffffff, 0xffffffff, 0x43e00000, 0x00000000, FC_I
        FROM_DOUBLE cvt.s.l, 0x7fffffff, 0xffffffff, 0x5f000000, FC_I
TEST_END
