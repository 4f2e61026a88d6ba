/* Traps that compare two registers, signed and unsigned: they trap if the condition holds; otherwise they do nothing. */
#include "test.h"
.macro COMPARE op, traps_for, relation, a, b
        li      $t0, \a
        li      $t1, \b
        EXPECT_IF (\traps_for) & (\relation), EXC_TR, \op $t0, $t1
.endm
.macro COMPARE_SIGNED op, traps_for
        COMPARE \op, \traps_for, EQUAL,   0x00000000, 0x00000000
        COMPARE \op, \traps_for, LESS,    0x00000000, 0x00000001
        COMPARE \op, \traps_for, GREATER, 0x00000001, 0x00000000
        COMPARE \op, \traps_for, LESS,    0xffffffff, 0x00000000
        COMPARE \op, \traps_for, GREATER, 0x00000000, 0xffffffff
        COMPARE \op, \traps_for, LESS,    0x80000000, 0x7fffffff
        COMPARE \op, \traps_for, GREATER, 0x7fffffff, 0x80000000
.endm
.macro COMPARE_UNSIGNED op, traps_for
        COMPARE \op, \traps_for, EQUAL,   0x00000000, 0x00000000
        COMPARE \op, \traps_for, LESS,    0x00000000, 0x00000001
        COMPARE \op, \traps_for, GREATER, 0x00000001, 0x00000000
        COMPARE \op, \traps_for, GREATER, 0xffffffff, 0x00000000
        COMPARE \op, \traps_for, LESS,    0x00000000, 0xffffffff
        COMPARE \op, \traps_for, GREATER, 0x80000000, 0x7fffffff
        COMPARE \op, \traps_for, LESS,    0x7fffffff, 0x80000000
.endm
TEST
        COMPARE_SIGNED   teq,  EQUAL
        COMPARE_SIGNED   tne,  LESS | GREATER
        COMPARE_SIGNED   tge,  GREATER | EQUAL
        COMPARE_SIGNED   tlt,  LESS
        COMPARE_UNSIGNED tgeu, GREATER | EQUAL
        COMPARE_UNSIGNED tltu, LESS
        CHECK_RAISED
TEST_END
