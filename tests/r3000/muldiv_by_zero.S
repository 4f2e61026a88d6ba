/* Division by zero raises nothing. The book leaves the result open; an R3000A gives the dividend in HI, and in LO all
 * ones, for div of a negative dividend 1 (the tests of PCSX-Redux, src/mips/tests/cpu; psx-spx).
 * gxemul: no (its quotient is 0) */
#include "test.h"
TEST
        .macro  BY_ZERO op, a, lo
        li      $t0, \a
        \op     $zero, $t0, $zero
        mfhi    $t2
        mflo    $t3
        nop
        nop
        CHECK   $t2, \a
        CHECK   $t3, \lo
        .endm
        BY_ZERO div, 7, 0xffffffff
        BY_ZERO div, 0, 0xffffffff
        BY_ZERO div, 0x7fffffff, 0xffffffff
        BY_ZERO div, 0xffffffff, 1
        BY_ZERO div, 0x80000000, 1
        BY_ZERO divu, 7, 0xffffffff
        BY_ZERO divu, 0, 0xffffffff
        BY_ZERO divu, 0xffffffff, 0xffffffff
        CHECK_STATE S_COUNT, 0
TEST_END
