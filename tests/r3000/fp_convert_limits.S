/* cvt.w.d at the limits of a word: what rounds into it is converted, what rounds out of it is an invalid operation.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffdfffff, 0x7fffffff, FC_I, RM_NEAREST      /* 2^31 - 0.5 - 2^-22 */
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffe00000, 0x7fffffff, FC_V, RM_NEAREST      /* 2^31 - 0.5, a tie */
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffe00000, 0x7fffffff, FC_I, RM_ZERO
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffe00000, 0x7fffffff, FC_I, RM_DOWN
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffe00000, 0x7fffffff, FC_V, RM_UP
        FROM_DOUBLE cvt.w.d, 0xc1e00000, 0x00100000, 0x80000000, FC_I, RM_NEAREST      /* -2^31 - 0.5 */
        FROM_DOUBLE cvt.w.d, 0xc1e00000, 0x00100000, 0x80000000, FC_I, RM_UP
        FROM_DOUBLE cvt.w.d, 0xc1e00000, 0x00100000, 0x7fffffff, FC_V, RM_DOWN
        FROM_DOUBLE cvt.w.d, 0x3fe00000, 0, 0, FC_I, RM_NEAREST        /* 0.5 */
        FROM_DOUBLE cvt.w.d, 0xbfe00000, 0, -1, FC_I, RM_DOWN
        FROM_DOUBLE cvt.w.d, 0x80000000, 0, 0
TEST_END
