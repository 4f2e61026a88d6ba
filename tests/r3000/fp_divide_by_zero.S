/* A finite number divided by zero: flag Z, an infinity of the signs' product.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE_2 div.s, 0x3f800000, 0x00000000, 0x7f800000, FC_Z
        SINGLE_2 div.s, 0x3f800000, 0x80000000, 0xff800000, FC_Z
        SINGLE_2 div.s, 0x7f800000, 0x00000000, 0x7f800000      /* inf / 0: exact */
        DOUBLE_2 div.d, 0xbff00000, 0, 0, 0, 0xfff00000, 0, FC_Z
TEST_END
