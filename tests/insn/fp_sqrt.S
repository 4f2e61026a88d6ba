/* sqrt: exact, rounded, of -0, of negative numbers, infinities, NaNs. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE_1 sqrt.s, 0x3f800000, 0x3f800000, 0
        SINGLE_1 sqrt.s, 0x40000000, 0x3fb504f3, FC_I
        SINGLE_1 sqrt.s, 0x40800000, 0x40000000, 0
        SINGLE_1 sqrt.s, 0x00000000, 0x00000000, 0
        SINGLE_1 sqrt.s, 0x80000000, 0x80000000, 0
        SINGLE_1 sqrt.s, 0xbf800000, 0x7fbfffff, FC_V
        SINGLE_1 sqrt.s, 0x7f800000, 0x7f800000, 0
        SINGLE_1 sqrt.s, 0xff800000, 0x7fbfffff, FC_V
        SINGLE_1 sqrt.s, 0x7fbfffff, 0x7fbfffff, 0
        SINGLE_1 sqrt.s, 0x7f7fffff, 0x5f7fffff, FC_I
        SINGLE_1 sqrt.s, 0x00800000, 0x20000000, 0
        DOUBLE_1 sqrt.d, 0x40000000, 0x00000000, 0x3ff6a09e, 0x667f3bcd, FC_I
        DOUBLE_1 sqrt.d, 0x40100000, 0x00000000, 0x40000000, 0x00000000, 0
        DOUBLE_1 sqrt.d, 0x80000000, 0x00000000, 0x80000000, 0x00000000, 0
        DOUBLE_1 sqrt.d, 0xbff00000, 0x00000000, 0x7ff7ffff, 0xffffffff, FC_V
        DOUBLE_1 sqrt.d, 0x7fefffff, 0xffffffff, 0x5fefffff, 0xffffffff, FC_I
TEST_END
