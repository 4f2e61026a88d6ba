/* cvt.d.s is exact; cvt.s.d rounds by the mode and overflows.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        TO_DOUBLE cvt.d.s, 0x3f800000, 0x3ff00000, 0
        TO_DOUBLE cvt.d.s, 0xff800000, 0xfff00000, 0
        TO_DOUBLE cvt.d.s, 0x00800000, 0x38100000, 0
        FROM_DOUBLE cvt.s.d, 0x3ff80000, 0, 0x3fc00000
        FROM_DOUBLE cvt.s.d, 0x3ff00000, 1, 0x3f800000, FC_I
        FROM_DOUBLE cvt.s.d, 0x3ff00000, 1, 0x3f800001, FC_I, RM_UP
        FROM_DOUBLE cvt.s.d, 0x3fffffff, 0xffffffff, 0x40000000, FC_I
        FROM_DOUBLE cvt.s.d, 0x3fffffff, 0xffffffff, 0x3fffffff, FC_I, RM_ZERO
        FROM_DOUBLE cvt.s.d, 0x47f00000, 0, 0x7f800000, FC_O | FC_I
        FROM_DOUBLE cvt.s.d, 0x47f00000, 0, 0x7f7fffff, FC_O | FC_I, RM_DOWN
TEST_END
