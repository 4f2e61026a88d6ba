/* sqrt: exact, rounded, of -0, of negative numbers, infinities, NaNs. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        OP_SINGLE_1 sqrt.s, 0x3f800000, 0x3f800000, 0
        OP_SINGLE_1 sqrt.s, 0x40000000, 0x3fb504f3, FC_FLAG_I
        OP_SINGLE_1 sqrt.s, 0x40800000, 0x40000000, 0
        OP_SINGLE_1 sqrt.s, 0x00000000, 0x00000000, 0
        OP_SINGLE_1 sqrt.s, 0x80000000, 0x80000000, 0
        OP_SINGLE_1 sqrt.s, 0xbf800000, 0x7fbfffff, FC_FLAG_V
        OP_SINGLE_1 sqrt.s, 0x7f800000, 0x7f800000, 0
        OP_SINGLE_1 sqrt.s, 0xff800000, 0x7fbfffff, FC_FLAG_V
        OP_SINGLE_1 sqrt.s, 0x7fbfffff, 0x7fbfffff, 0
        OP_SINGLE_1 sqrt.s, 0x7f7fffff, 0x5f7fffff, FC_FLAG_I
        OP_SINGLE_1 sqrt.s, 0x00800000, 0x20000000, 0
        OP_DOUBLE_1 sqrt.d, 0x40000000, 0x00000000, 0x3ff6a09e, 0x667f3bcd, FC_FLAG_I
        OP_DOUBLE_1 sqrt.d, 0x40100000, 0x00000000, 0x40000000, 0x00000000, 0
        OP_DOUBLE_1 sqrt.d, 0x80000000, 0x00000000, 0x80000000, 0x00000000, 0
        OP_DOUBLE_1 sqrt.d, 0xbff00000, 0x00000000, 0x7ff7ffff, 0xffffffff, FC_FLAG_V
        OP_DOUBLE_1 sqrt.d, 0x7fefffff, 0xffffffff, 0x5fefffff, 0xffffffff, FC_FLAG_I
TEST_END
