/* c.cond.s: all sixteen conditions on less, equal, greater, both zeros, infinities, quiet and signalling NaNs, into
 * every condition code, with Invalid where it belongs. */
#include "fp_compare.h"
.macro COMPARE cond, cc
        c.\cond\().s $fcc\cc, $f20, $f22
.endm
.macro PAIR a, b, relation, quiet=0, signals=0
        SINGLE  20, \a
        SINGLE  22, \b
        CONDITIONS \relation, \quiet, \signals
.endm
TEST
        SET_STATUS ST_CU1 | ST_FR
        PAIR    0x3f800000, 0x3f800000, EQUAL
        PAIR    0x3f800000, 0x40000000, LESS
        PAIR    0x40000000, 0xbf800000, GREATER
        PAIR    0x00000000, 0x80000000, EQUAL
        PAIR    0x7fbfffff, 0x3f800000, UNORDERED, 0, FC_V
        PAIR    0x3f800000, 0x7fffffff, UNORDERED, FC_V, FC_V
        PAIR    0xff800000, 0x7f800000, LESS
TEST_END
