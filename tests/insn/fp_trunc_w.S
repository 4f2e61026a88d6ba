/* trunc.w: its own rounding, whatever FCSR says; out of range and NaN give 2^31 - 1 and Invalid. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE_1 trunc.w.s, 0x00000000, 0x00000000, 0
        SINGLE_1 trunc.w.s, 0x3fc00000, 0x00000001, FC_I
        SINGLE_1 trunc.w.s, 0x40200000, 0x00000002, FC_I
        SINGLE_1 trunc.w.s, 0xbfc00000, 0xffffffff, FC_I
        SINGLE_1 trunc.w.s, 0xc0200000, 0xfffffffe, FC_I
        SINGLE_1 trunc.w.s, 0x3e800000, 0x00000000, FC_I
        SINGLE_1 trunc.w.s, 0xbe800000, 0x00000000, FC_I
        SINGLE_1 trunc.w.s, 0x4effffff, 0x7fffff80, 0
        SINGLE_1 trunc.w.s, 0xcf000000, 0x80000000, 0
        SINGLE_1 trunc.w.s, 0x49742400, 0x000f4240, 0
        SINGLE_1 trunc.w.s, 0x7f800000, 0x7fffffff, FC_V
        SINGLE_1 trunc.w.s, 0x4f000000, 0x7fffffff, FC_V
        SINGLE_1 trunc.w.s, 0xcf000001, 0x7fffffff, FC_V
        SINGLE_1 trunc.w.s, 0x7fbfffff, 0x7fffffff, FC_V
        FROM_DOUBLE trunc.w.d, 0x00000000, 0x00000000, 0x00000000, 0, RM_UP
        FROM_DOUBLE trunc.w.d, 0x3ff80000, 0x00000000, 0x00000001, FC_I, RM_UP
        FROM_DOUBLE trunc.w.d, 0xc0040000, 0x00000000, 0xfffffffe, FC_I, RM_UP
        FROM_DOUBLE trunc.w.d, 0x3fd00000, 0x00000000, 0x00000000, FC_I, RM_UP
        FROM_DOUBLE trunc.w.d, 0xbfd00000, 0x00000000, 0x00000000, FC_I, RM_UP
        FROM_DOUBLE trunc.w.d, 0x41dfffff, 0xffc00000, 0x7fffffff, 0, RM_UP
        FROM_DOUBLE trunc.w.d, 0xc1e00000, 0x00000000, 0x80000000, 0, RM_UP
        FROM_DOUBLE trunc.w.d, 0x40fe240c, 0x9fbe76c9, 0x0001e240, FC_I, RM_UP
TEST_END
