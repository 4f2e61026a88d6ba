/* Traps that compare a register with a sign-extended immediate, signed and unsigned: they trap if the condition holds;
 * otherwise they do nothing. */
#include "test.h"
.macro COMPARE op, traps_for, relation, a, immediate
        li      $t0, \a
        EXPECT_IF (\traps_for) & (\relation), EXC_TR, \op $t0, \immediate
.endm
.macro COMPARE_SIGNED op, traps_for
        COMPARE \op, \traps_for, EQUAL,   0x00000000, 0
        COMPARE \op, \traps_for, LESS,    0x00000000, 1
        COMPARE \op, \traps_for, GREATER, 0x00000001, 0
        COMPARE \op, \traps_for, LESS,    0xffffffff, 0
        COMPARE \op, \traps_for, GREATER, 0x00000000, -1
        COMPARE \op, \traps_for, EQUAL,   0xffffffff, -1
        COMPARE \op, \traps_for, GREATER, 0x7fffffff, -32768
        COMPARE \op, \traps_for, EQUAL,   0xffff8000, -32768
        COMPARE \op, \traps_for, LESS,    0x80000000, 32767
.endm
.macro COMPARE_UNSIGNED op, traps_for
        COMPARE \op, \traps_for, EQUAL,   0x00000000, 0
        COMPARE \op, \traps_for, LESS,    0x00000000, 1
        COMPARE \op, \traps_for, GREATER, 0x00000001, 0
        COMPARE \op, \traps_for, GREATER, 0xffffffff, 0
        COMPARE \op, \traps_for, LESS,    0x00000000, -1
        COMPARE \op, \traps_for, EQUAL,   0xffffffff, -1
        COMPARE \op, \traps_for, LESS,    0x7fffffff, -32768
        COMPARE \op, \traps_for, EQUAL,   0xffff8000, -32768
        COMPARE \op, \traps_for, GREATER, 0x80000000, 32767
.endm
TEST
        COMPARE_SIGNED   teqi,  EQUAL
        COMPARE_SIGNED   tnei,  LESS | GREATER
        COMPARE_SIGNED   tgei,  GREATER | EQUAL
        COMPARE_SIGNED   tlti,  LESS
        COMPARE_UNSIGNED tgeiu, GREATER | EQUAL
        COMPARE_UNSIGNED tltiu, LESS
        CHECK_RAISED
TEST_END
