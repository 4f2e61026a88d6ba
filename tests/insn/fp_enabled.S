/* An enabled exception: FPE, the destination unwritten, the cause set, the sticky flag not; a result written with the
 * exception disabled, and its flag set. */
#include "fp.h"
.macro ENABLED flag, op, a, b
        SET_FCSR FC_ENABLE(\flag)
        SINGLE  20, \a
        SINGLE  22, \b
        SINGLE  24, 0x1234
        EXPECT  EXC_FPE, \op $f24, $f20, $f22
        CHECK_SINGLE 24, 0x1234
        cfc1    $s7, $31
        CHECK_BITS $s7, FC_FLAGS, 0
        cfc1    $s7, $31
        CHECK_BITS $s7, FC_CAUSE(\flag), FC_CAUSE(\flag)
.endm
TEST
        SET_STATUS ST_CU1
        ENABLED FC_I, add.s, 0x3f800000, 0x33000000        /* 1 + 2^-25 */
        ENABLED FC_Z, div.s, 0x3f800000, 0
        ENABLED FC_V, sub.s, 0x7f800000, 0x7f800000
        ENABLED FC_O, mul.s, 0x7f000000, 0x7f000000
        ENABLED FC_V, mul.s, 0x7fffffff, 0x3f800000        /* a signalling NaN */
        SET_FCSR FC_ENABLE(FC_Z)
        SINGLE  20, 0x3f800000
        SINGLE  22, 0
        EXPECT_IN_SLOT EXC_FPE, "b 7f", div.s $f24, $f20, $f22
        SET_FCSR FC_ENABLE(FC_V)                           /* another one is enabled */
        div.s   $f24, $f20, $f22
        CHECK_SINGLE 24, 0x7f800000
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_CAUSE(FC_Z)
        SET_FCSR FC_ENABLE(FC_V)                           /* comparison: the condition stays */
        SINGLE  20, 0x7fffffff
        EXPECT  EXC_FPE, c.un.s $f20, $f20
        CHECK_FCSR FC_C, 0
        SET_FCSR FC_ENABLE(FC_V)
        EXPECT  EXC_FPE, cvt.w.s $f24, $f20
TEST_END
