/* Invalid operations: flag V, and with the trap off a quiet NaN (on this architecture the top bit of a quiet NaN's
 * fraction is clear): inf - inf, 0 * inf, 0 / 0, inf / inf.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
        .macro  INVALID op, a, b
        SET_FCSR 0
        SINGLE  20, \a
        SINGLE  22, \b
        SINGLE  24, 0
        \op     $f24, $f20, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_V | FC_CAUSE(FC_V)
        mfc1    $t0, $f24
        nop
        CHECK_BITS $t0, 0x7fc00000, 0x7f800000
        sll     $t0, $t0, 10            /* a NaN, no infinity */
        CHECK_TRUE $t0
        .endm
FP_TEST
        INVALID sub.s, 0x7f800000, 0x7f800000
        INVALID add.s, 0x7f800000, 0xff800000
        INVALID mul.s, 0x00000000, 0x7f800000
        INVALID div.s, 0x00000000, 0x80000000
        INVALID div.s, 0x7f800000, 0xff800000
TEST_END
