/* cvt.d.s is exact, cvt.s.d rounds and overflows. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        TO_DOUBLE cvt.d.s, 0x3f800000, 0x3ff00000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0xc0490fdb, 0xc00921fb, 0x60000000, 0
        TO_DOUBLE cvt.d.s, 0x00000000, 0x00000000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0x80000000, 0x80000000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0x7f800000, 0x7ff00000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0xff800000, 0xfff00000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0x00800000, 0x38100000, 0x00000000, 0
        TO_DOUBLE cvt.d.s, 0x7f7fffff, 0x47efffff, 0xe0000000, 0
        FROM_DOUBLE cvt.s.d, 0x3ff00000, 0x00000000, 0x3f800000, 0
        FROM_DOUBLE cvt.s.d, 0xc0080000, 0x00000000, 0xc0400000, 0
        FROM_DOUBLE cvt.s.d, 0x00000000, 0x00000000, 0x00000000, 0
        FROM_DOUBLE cvt.s.d, 0x80000000, 0x00000000, 0x80000000, 0
        FROM_DOUBLE cvt.s.d, 0x7ff00000, 0x00000000, 0x7f800000, 0
        FROM_DOUBLE cvt.s.d, 0xfff00000, 0x00000000, 0xff800000, 0
        FROM_DOUBLE cvt.s.d, 0x400921fb, 0x54442d18, 0x40490fdb, FC_I
        FROM_DOUBLE cvt.s.d, 0x47efffff, 0xe0000000, 0x7f7fffff, 0
        FROM_DOUBLE cvt.s.d, 0x47f00000, 0x00000000, 0x7f800000, FC_O | FC_I
TEST_END
