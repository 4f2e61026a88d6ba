# The assembler does not know it: 0x70000010 with the registers' numbers.
create tests/insn/toy.S <<'END'
/* toy: the average of two unsigned numbers, rounded down. */
#include "alu.h"
.macro toy d, s, t
        .set    numbers, 0
        .irp    number, 0, 8, 9, 10
        .ifc    \d, $\number
        .set    numbers, numbers | \number << 11
        .endif
        .ifc    \s, $\number
        .set    numbers, numbers | \number << 21
        .endif
        .ifc    \t, $\number
        .set    numbers, numbers | \number << 16
        .endif
        .endr
        .word   0x70000010 | numbers
.endm
.macro AVERAGE a, b, result
        li      $8, \a
        li      $9, \b
        toy     $10, $8, $9
        CHECK   $10, \result
        toy     $8, $8, $9
        CHECK   $8, \result
        toy     $9, $9, $9
        CHECK   $9, \b
.endm
TEST
        AVERAGE 4, 8, 6
        AVERAGE 4, 9, 6
        AVERAGE 0, 0, 0
        AVERAGE 0xffffffff, 0xffffffff, 0xffffffff
        AVERAGE 0xffffffff, 1, 0x80000000
        AVERAGE 0x80000000, 0x7fffffff, 0x7fffffff
        li      $11, 2000               /* often enough to be translated */
1:      li      $8, 10
        li      $9, 20
        toy     $10, $8, $9
        addiu   $11, $11, -1
        bnez    $11, 1b
        nop
        CHECK   $10, 15
TEST_END
END
