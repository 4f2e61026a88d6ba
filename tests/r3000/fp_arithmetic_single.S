/* add.s, sub.s, mul.s, div.s with exact results: no flag, no cause. */
#include "fp.h"
FP_TEST
        SINGLE_2 add.s, 0x3f800000, 0x40000000, 0x40400000      /* 1 + 2 */
        SINGLE_2 add.s, 0x3f800000, 0xbf800000, 0x00000000      /* 1 - 1 = +0 */
        SINGLE_2 sub.s, 0x40400000, 0x40000000, 0x3f800000
        SINGLE_2 sub.s, 0x3f800000, 0x7f800000, 0xff800000      /* 1 - inf */
        SINGLE_2 mul.s, 0x40400000, 0xc0000000, 0xc0c00000
        SINGLE_2 mul.s, 0x80000000, 0x40000000, 0x80000000
        SINGLE_2 div.s, 0x40c00000, 0x40400000, 0x40000000
        SINGLE_2 div.s, 0x3f800000, 0xff800000, 0x80000000      /* 1 / -inf */
TEST_END
