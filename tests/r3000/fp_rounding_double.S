/* The four rounding modes on doubles.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
        .macro  MODES op, ah, al, bh, bl, nh, nl, zh, zl, uh, ul, dh, dl
        DOUBLE_2 \op, \ah, \al, \bh, \bl, \nh, \nl, FC_I, RM_NEAREST
        DOUBLE_2 \op, \ah, \al, \bh, \bl, \zh, \zl, FC_I, RM_ZERO
        DOUBLE_2 \op, \ah, \al, \bh, \bl, \uh, \ul, FC_I, RM_UP
        DOUBLE_2 \op, \ah, \al, \bh, \bl, \dh, \dl, FC_I, RM_DOWN
        .endm
FP_TEST
        MODES   add.d, 0x3ff00000, 0, 0x3ca00000, 0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000, 1, 0x3ff00000, 0
        MODES   div.d, 0x3ff00000, 0, 0x40080000, 0, \
                0x3fd55555, 0x55555555, 0x3fd55555, 0x55555555, 0x3fd55555, 0x55555556, 0x3fd55555, 0x55555555
        MODES   div.d, 0xbff00000, 0, 0x40080000, 0, \
                0xbfd55555, 0x55555555, 0xbfd55555, 0x55555555, 0xbfd55555, 0x55555555, 0xbfd55555, 0x55555556
TEST_END
