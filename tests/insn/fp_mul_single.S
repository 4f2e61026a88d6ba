/* mul.s: values, zeros, infinities, NaNs, with their flags. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SINGLE_2 mul.s, 0x3f800000, 0x3f800000, 0x3f800000, 0
        SINGLE_2 mul.s, 0x3f800000, 0xc0400000, 0xc0400000, 0
        SINGLE_2 mul.s, 0xc0400000, 0x3eaaaaab, 0xbf800000, FC_I
        SINGLE_2 mul.s, 0x00000000, 0x80000000, 0x80000000, 0
        SINGLE_2 mul.s, 0x80000000, 0x80000000, 0x00000000, 0
        SINGLE_2 mul.s, 0x00000000, 0x00000000, 0x00000000, 0
        SINGLE_2 mul.s, 0x7f800000, 0x7f800000, 0x7f800000, 0
        SINGLE_2 mul.s, 0x7f800000, 0xff800000, 0xff800000, 0
        SINGLE_2 mul.s, 0x7f800000, 0x00000000, 0x7fbfffff, FC_V
        SINGLE_2 mul.s, 0x3f800000, 0x00000000, 0x00000000, 0
        SINGLE_2 mul.s, 0x00000000, 0xc0400000, 0x80000000, 0
        SINGLE_2 mul.s, 0xff800000, 0x3f800000, 0xff800000, 0
        SINGLE_2 mul.s, 0x3f800000, 0x7f800000, 0x7f800000, 0
        SINGLE_2 mul.s, 0x7fbfffff, 0x3f800000, 0x7fbfffff, 0
        SINGLE_2 mul.s, 0x3f800000, 0x7fc00000, 0x7fbfffff, FC_V
        SINGLE_2 mul.s, 0x7f7fffff, 0x7f7fffff, 0x7f800000, FC_O | FC_I
        SINGLE_2 mul.s, 0x3eaaaaab, 0x4b800001, 0x4aaaaaac, FC_I
        SINGLE_2 mul.s, 0x4b800001, 0xc0400000, 0xcc400002, FC_I
        SINGLE_2 mul.s, 0x7f7fffff, 0x00800000, 0x407fffff, 0
        SINGLE_2 mul.s, 0x3f800000, 0x3eaaaaab, 0x3eaaaaab, 0
        SINGLE_2 mul.s, 0x00800000, 0xc0400000, 0x81400000, 0
TEST_END
