/* cvt.w of a NaN, an infinity or a number that no word holds is an invalid operation; with its trap off the result is
 * 0x7fffffff, whatever the sign (the MIPS manuals, cvt.w).
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE_1 cvt.w.s, 0x7fbfffff, 0x7fffffff, FC_V
        SINGLE_1 cvt.w.s, 0x7f800000, 0x7fffffff, FC_V
        SINGLE_1 cvt.w.s, 0xff800000, 0x7fffffff, FC_V
        SINGLE_1 cvt.w.s, 0x4f000000, 0x7fffffff, FC_V
        SINGLE_1 cvt.w.s, 0xcf000001, 0x7fffffff, FC_V
        FROM_DOUBLE cvt.w.d, 0x41e00000, 0, 0x7fffffff, FC_V
        FROM_DOUBLE cvt.w.d, 0xfff00000, 0, 0x7fffffff, FC_V
        FROM_DOUBLE cvt.w.d, 0x7ff7ffff, 0xffffffff, 0x7fffffff, FC_V
TEST_END
