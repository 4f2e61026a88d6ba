/* trunc.w: its own rounding, whatever FCSR says; out of range and NaN give 2^31 - 1 and Invalid. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        OP_SINGLE_1 trunc.w.s, 0x00000000, 0x00000000, 0
        OP_SINGLE_1 trunc.w.s, 0x3fc00000, 0x00000001, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0x40200000, 0x00000002, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0xbfc00000, 0xffffffff, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0xc0200000, 0xfffffffe, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0x3e800000, 0x00000000, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0xbe800000, 0x00000000, FC_FLAG_I
        OP_SINGLE_1 trunc.w.s, 0x4effffff, 0x7fffff80, 0
        OP_SINGLE_1 trunc.w.s, 0xcf000000, 0x80000000, 0
        OP_SINGLE_1 trunc.w.s, 0x49742400, 0x000f4240, 0
        OP_SINGLE_1 trunc.w.s, 0x7f800000, 0x7fffffff, FC_FLAG_V
        OP_SINGLE_1 trunc.w.s, 0x4f000000, 0x7fffffff, FC_FLAG_V
        OP_SINGLE_1 trunc.w.s, 0xcf000001, 0x7fffffff, FC_FLAG_V
        OP_SINGLE_1 trunc.w.s, 0x7fbfffff, 0x7fffffff, FC_FLAG_V
        SET_FCSR RM_UP
        DOUBLE  f20, 0x00000000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR RM_UP
        DOUBLE  f20, 0x3ff80000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000001
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR RM_UP
        DOUBLE  f20, 0xc0040000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0xfffffffe
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR RM_UP
        DOUBLE  f20, 0x3fd00000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR RM_UP
        DOUBLE  f20, 0xbfd00000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x00000000
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
        SET_FCSR RM_UP
        DOUBLE  f20, 0x41dfffff, 0xffc00000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x7fffffff
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR RM_UP
        DOUBLE  f20, 0xc1e00000, 0x00000000
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x80000000
        CHECK_FCSR FC_FLAGS, 0
        SET_FCSR RM_UP
        DOUBLE  f20, 0x40fe240c, 0x9fbe76c9
        trunc.w.d $f24, $f20
        CHECK_SINGLE f24, 0x0001e240
        CHECK_FCSR FC_FLAGS, FC_FLAG_I
TEST_END
