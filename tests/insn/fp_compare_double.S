/* c.cond.d: all sixteen conditions on less, equal, greater, both zeros, infinities, quiet and signalling NaNs, into
 * every condition code, with Invalid where it belongs. */
#include "fp_compare.h"
.macro COMPARE cond, cc
        c.\cond\().d $fcc\cc, $f20, $f22
.endm
.macro PAIR ah, al, bh, bl, relation, quiet=0, signals=0
        DOUBLE  20, \ah, \al
        DOUBLE  22, \bh, \bl
        CONDITIONS \relation, \quiet, \signals
.endm
TEST
        SET_STATUS ST_CU1 | ST_FR
        PAIR    0x3ff00000, 0x00000000, 0x3ff00000, 0x00000000, EQUAL
        PAIR    0x3ff00000, 0x00000000, 0x40000000, 0x00000000, LESS
        PAIR    0x40000000, 0x00000000, 0xbff00000, 0x00000000, GREATER
        PAIR    0x00000000, 0x00000000, 0x80000000, 0x00000000, EQUAL
        PAIR    0x7ff7ffff, 0xffffffff, 0x3ff00000, 0x00000000, UNORDERED, 0, FC_V
        PAIR    0x3ff00000, 0x00000000, 0x7fffffff, 0xffffffff, UNORDERED, FC_V, FC_V
        PAIR    0xfff00000, 0x00000000, 0x7ff00000, 0x00000000, LESS
TEST_END
