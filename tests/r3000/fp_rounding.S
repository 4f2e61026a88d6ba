/* The four rounding modes on results of both signs, ties and others: nearest (to even), to zero, up, down.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
        .macro  MODES op, a, b, nearest, zero, up, down
        SINGLE_2 \op, \a, \b, \nearest, FC_I, RM_NEAREST
        SINGLE_2 \op, \a, \b, \zero, FC_I, RM_ZERO
        SINGLE_2 \op, \a, \b, \up, FC_I, RM_UP
        SINGLE_2 \op, \a, \b, \down, FC_I, RM_DOWN
        .endm
FP_TEST
        MODES   add.s, 0x3f800000, 0x33800000, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f800000 /* 1 + 2^-24: a tie */
        MODES   add.s, 0x3f800001, 0x33800000, 0x3f800002, 0x3f800001, 0x3f800002, 0x3f800001
        MODES   add.s, 0xbf800000, 0xb3800000, 0xbf800000, 0xbf800000, 0xbf800000, 0xbf800001
        MODES   div.s, 0x3f800000, 0x40400000, 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaaa   /* 1 / 3 */
        MODES   div.s, 0xbf800000, 0x40400000, 0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaaa, 0xbeaaaaab
        MODES   mul.s, 0x3f800001, 0x3f800001, 0x3f800002, 0x3f800002, 0x3f800003, 0x3f800002
        SINGLE_2 sub.s, 0x3f800000, 0x3f800000, 0x00000000, 0, RM_NEAREST       /* an exact zero: -0 only down */
        SINGLE_2 sub.s, 0x3f800000, 0x3f800000, 0x80000000, 0, RM_DOWN
TEST_END
