/* A denormal operand is left to software: E (Unimplemented) and the interrupt, for every operation and conversion,
 * in either operand; the destination keeps its value, no flag is set.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x00000001
        SINGLE  21, 0
        SINGLE  22, 0x3f800000
        SINGLE  23, 0
        REQUESTS FC_E, add.s $f24, $f20, $f22
        REQUESTS FC_E, add.s $f24, $f22, $f20
        REQUESTS FC_E, sub.s $f24, $f22, $f20
        REQUESTS FC_E, mul.s $f24, $f20, $f22
        REQUESTS FC_E, div.s $f24, $f22, $f20
        REQUESTS FC_E, cvt.d.s $f24, $f20
        REQUESTS FC_E, cvt.w.s $f24, $f20
        DOUBLE  20, 0x800fffff, 0xffffffff
        DOUBLE  22, 0x3ff00000, 0
        REQUESTS FC_E, add.d $f24, $f20, $f22
        REQUESTS FC_E, mul.d $f24, $f22, $f20
        REQUESTS FC_E, cvt.s.d $f24, $f20
TEST_END
