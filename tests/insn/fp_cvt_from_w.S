/* cvt.s.w, cvt.d.w: integers to floating point, rounded where they do not fit. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE_1 cvt.s.w, 0x00000000, 0x00000000, 0
        TO_DOUBLE cvt.d.w, 0x00000000, 0x00000000, 0x00000000, 0
        SINGLE_1 cvt.s.w, 0x00000001, 0x3f800000, 0
        TO_DOUBLE cvt.d.w, 0x00000001, 0x3ff00000, 0x00000000, 0
        SINGLE_1 cvt.s.w, 0xffffffff, 0xbf800000, 0
        TO_DOUBLE cvt.d.w, 0xffffffff, 0xbff00000, 0x00000000, 0
        SINGLE_1 cvt.s.w, 0x7fffffff, 0x4f000000, FC_I
        TO_DOUBLE cvt.d.w, 0x7fffffff, 0x41dfffff, 0xffc00000, 0
        SINGLE_1 cvt.s.w, 0x80000000, 0xcf000000, 0
        TO_DOUBLE cvt.d.w, 0x80000000, 0xc1e00000, 0x00000000, 0
        SINGLE_1 cvt.s.w, 0x01000001, 0x4b800000, FC_I
        TO_DOUBLE cvt.d.w, 0x01000001, 0x41700000, 0x10000000, 0
        SINGLE_1 cvt.s.w, 0xfefffffd, 0xcb800002, FC_I
        TO_DOUBLE cvt.d.w, 0xfefffffd, 0xc1700000, 0x30000000, 0
TEST_END
