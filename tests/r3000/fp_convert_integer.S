/* cvt.s.w, cvt.d.w: from a word; a double holds every word, a single rounds. cvt.w by the rounding mode.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE_1 cvt.s.w, 1, 0x3f800000
        SINGLE_1 cvt.s.w, -1, 0xbf800000
        SINGLE_1 cvt.s.w, 0, 0
        SINGLE_1 cvt.s.w, 0x80000000, 0xcf000000
        SINGLE_1 cvt.s.w, 0x7fffffff, 0x4f000000, FC_I
        SINGLE_1 cvt.s.w, 0x7fffffff, 0x4effffff, FC_I, RM_ZERO
        TO_DOUBLE cvt.d.w, 0x7fffffff, 0x41dfffff, 0xffc00000
        TO_DOUBLE cvt.d.w, 0x80000000, 0xc1e00000, 0
        SINGLE_1 cvt.w.s, 0x40200000, 2, FC_I, RM_NEAREST       /* 2.5 */
        SINGLE_1 cvt.w.s, 0x40600000, 4, FC_I, RM_NEAREST       /* 3.5 */
        SINGLE_1 cvt.w.s, 0x40600000, 3, FC_I, RM_ZERO
        SINGLE_1 cvt.w.s, 0x40200000, 3, FC_I, RM_UP
        SINGLE_1 cvt.w.s, 0x40600000, 3, FC_I, RM_DOWN
        SINGLE_1 cvt.w.s, 0xc0200000, -3, FC_I, RM_DOWN
        SINGLE_1 cvt.w.s, 0xc0600000, -3, FC_I, RM_UP
        SINGLE_1 cvt.w.s, 0x40400000, 3
        FROM_DOUBLE cvt.w.d, 0x41dfffff, 0xffc00000, 0x7fffffff
        FROM_DOUBLE cvt.w.d, 0xc1e00000, 0, 0x80000000
        FROM_DOUBLE cvt.w.d, 0x40040000, 0, 2, FC_I
TEST_END
