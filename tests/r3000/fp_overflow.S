/* A result too large: flags O and I, and by the rounding mode infinity or the largest number.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE_2 add.s, 0x7f7fffff, 0x7f7fffff, 0x7f800000, FC_O | FC_I, RM_NEAREST
        SINGLE_2 add.s, 0x7f7fffff, 0x7f7fffff, 0x7f7fffff, FC_O | FC_I, RM_ZERO
        SINGLE_2 mul.s, 0xff7fffff, 0x40000000, 0xff7fffff, FC_O | FC_I, RM_UP
        SINGLE_2 mul.s, 0xff7fffff, 0x40000000, 0xff800000, FC_O | FC_I, RM_DOWN
        SINGLE_2 div.s, 0x7f7fffff, 0x3f000000, 0x7f800000, FC_O | FC_I, RM_UP
        DOUBLE_2 mul.d, 0x7fefffff, 0xffffffff, 0x40000000, 0, 0x7ff00000, 0, FC_O | FC_I, RM_NEAREST
        DOUBLE_2 mul.d, 0x7fefffff, 0xffffffff, 0x40000000, 0, 0x7fefffff, 0xffffffff, FC_O | FC_I, RM_ZERO
TEST_END
