/* mul.s: values, zeros, infinities, NaNs, with their flags. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        OP_SINGLE mul.s, 0x3f800000, 0x3f800000, 0x3f800000, 0
        OP_SINGLE mul.s, 0x3f800000, 0xc0400000, 0xc0400000, 0
        OP_SINGLE mul.s, 0xc0400000, 0x3eaaaaab, 0xbf800000, FC_FLAG_I
        OP_SINGLE mul.s, 0x00000000, 0x80000000, 0x80000000, 0
        OP_SINGLE mul.s, 0x80000000, 0x80000000, 0x00000000, 0
        OP_SINGLE mul.s, 0x00000000, 0x00000000, 0x00000000, 0
        OP_SINGLE mul.s, 0x7f800000, 0x7f800000, 0x7f800000, 0
        OP_SINGLE mul.s, 0x7f800000, 0xff800000, 0xff800000, 0
        OP_SINGLE mul.s, 0x7f800000, 0x00000000, 0x7fbfffff, FC_FLAG_V
        OP_SINGLE mul.s, 0x3f800000, 0x00000000, 0x00000000, 0
        OP_SINGLE mul.s, 0x00000000, 0xc0400000, 0x80000000, 0
        OP_SINGLE mul.s, 0xff800000, 0x3f800000, 0xff800000, 0
        OP_SINGLE mul.s, 0x3f800000, 0x7f800000, 0x7f800000, 0
        OP_SINGLE mul.s, 0x7fbfffff, 0x3f800000, 0x7fbfffff, 0
        OP_SINGLE mul.s, 0x3f800000, 0x7fc00000, 0x7fbfffff, FC_FLAG_V
        OP_SINGLE mul.s, 0x7f7fffff, 0x7f7fffff, 0x7f800000, FC_FLAG_O | FC_FLAG_I
        OP_SINGLE mul.s, 0x3eaaaaab, 0x4b800001, 0x4aaaaaac, FC_FLAG_I
        OP_SINGLE mul.s, 0x4b800001, 0xc0400000, 0xcc400002, FC_FLAG_I
        OP_SINGLE mul.s, 0x7f7fffff, 0x00800000, 0x407fffff, 0
        OP_SINGLE mul.s, 0x3f800000, 0x3eaaaaab, 0x3eaaaaab, 0
        OP_SINGLE mul.s, 0x00800000, 0xc0400000, 0x81400000, 0
TEST_END
