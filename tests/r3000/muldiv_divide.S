/* div truncates towards zero, the remainder has the dividend's sign; divu takes both as unsigned. LO is the
 * quotient, HI the remainder. The form with $zero is the instruction itself, without the assembler's checks. */
#include "test.h"
TEST
        .macro  QUOTIENT op, a, b, hi, lo
        li      $t0, \a
        li      $t1, \b
        \op     $zero, $t0, $t1
        mfhi    $t2
        mflo    $t3
        nop
        nop
        CHECK   $t2, \hi
        CHECK   $t3, \lo
        .endm
        QUOTIENT div, 7, 2, 1, 3
        QUOTIENT div, -7, 2, -1, -3
        QUOTIENT div, 7, -2, 1, -3
        QUOTIENT div, -7, -2, -1, 3
        QUOTIENT div, 0, 5, 0, 0
        QUOTIENT div, 0x80000000, 1, 0, 0x80000000
        QUOTIENT div, 0x7fffffff, 0x80000000, 0x7fffffff, 0
        QUOTIENT divu, 7, 2, 1, 3
        QUOTIENT divu, 0xfffffff9, 2, 1, 0x7ffffffc
        QUOTIENT divu, 0xffffffff, 0xffffffff, 0, 1
        QUOTIENT divu, 0x80000000, 0xffffffff, 0x80000000, 0
TEST_END
