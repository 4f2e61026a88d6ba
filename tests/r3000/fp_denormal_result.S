/* A result too small for a normal number, exact or not, is left to software: E and the interrupt; the destination
 * keeps its value.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x00800000          /* the smallest normal number */
        SINGLE  21, 0
        SINGLE  22, 0x40000000
        SINGLE  23, 0
        REQUESTS FC_E, div.s $f24, $f20, $f22
        REQUESTS FC_E, mul.s $f24, $f20, $f20
        SINGLE  22, 0x00800001
        REQUESTS FC_E, sub.s $f24, $f22, $f20
        DOUBLE  20, 0x00100000, 0
        DOUBLE  22, 0x40000000, 0
        REQUESTS FC_E, div.d $f24, $f20, $f22
        REQUESTS FC_E, cvt.s.d $f24, $f20
TEST_END
