/* Comparisons of special values: zeros of both signs are equal, infinities are ordered, negative numbers too;
 * denormals are compared, not left to software. */
#include "fp_compare.h"
FP_TEST
        COMPARE c.eq.s, 0x00000000, 0x80000000, FC_C
        COMPARE c.lt.s, 0x80000000, 0x00000000, 0
        COMPARE c.lt.s, 0xff800000, 0x7f800000, FC_C
        COMPARE c.lt.s, 0xc0000000, 0xbf800000, FC_C
        COMPARE c.le.s, 0x7f800000, 0x7f800000, FC_C
        COMPARE c.lt.s, 0x00000001, 0x00800000, FC_C
        COMPARE c.eq.s, 0x00000001, 0x00000001, FC_C
        COMPARE c.lt.s, 0x80000001, 0x00000000, FC_C
TEST_END
