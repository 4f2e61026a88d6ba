/* The four rounding modes on single operations of either sign, exact, inexact, overflowing. */
#include "fp.h"
        .macro  ROUNDED op, a, b, nearest, zero, up, down, flags
        SINGLE_2 \op, \a, \b, \nearest, \flags, RM_NEAREST
        SINGLE_2 \op, \a, \b, \zero, \flags, RM_ZERO
        SINGLE_2 \op, \a, \b, \up, \flags, RM_UP
        SINGLE_2 \op, \a, \b, \down, \flags, RM_DOWN
        .endm
TEST
        SET_STATUS ST_CU1
        ROUNDED add.s, 0x3f800000, 0x33800000, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f800000, FC_I
        ROUNDED add.s, 0xbf800000, 0xb3800000, 0xbf800000, 0xbf800000, 0xbf800000, 0xbf800001, FC_I
        ROUNDED div.s, 0x3f800000, 0x40400000, 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaaa, FC_I
        ROUNDED div.s, 0xbf800000, 0x40400000, 0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaaa, 0xbeaaaaab, FC_I
        ROUNDED mul.s, 0x7f7fffff, 0x40000000, 0x7f800000, 0x7f7fffff, 0x7f800000, 0x7f7fffff, FC_O | FC_I
        ROUNDED mul.s, 0xff7fffff, 0x40000000, 0xff800000, 0xff7fffff, 0xff7fffff, 0xff800000, FC_O | FC_I
        ROUNDED sub.s, 0x3f800000, 0x3f800000, 0x00000000, 0x00000000, 0x00000000, 0x80000000, 0
        ROUNDED mul.s, 0x3f800001, 0x3f800001, 0x3f800002, 0x3f800002, 0x3f800003, 0x3f800002, FC_I
TEST_END
