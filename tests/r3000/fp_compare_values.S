/* Comparisons of special values: zeros of both signs are equal, infinities are ordered, negative numbers too;
 * denormals are compared, not left to software. */
#include "fp.h"
        .macro  COMPARE op, a, b, result
        SET_FCSR 0
        SINGLE  20, \a
        SINGLE  22, \b
        \op     $f20, $f22
        nop
        CHECK_FCSR FC_C | FC_FLAGS | FC_CAUSES, \result
        .endm
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
