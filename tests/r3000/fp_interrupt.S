/* An exception of the R3010 whose trap is enabled arrives as an interrupt, precisely: code Int, IP7, EPC the
 * operation; the destination and the flag keep their values, the cause is set. Each of V, Z, O, I.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
        .macro  TRAPS flag, cause, insn:vararg
        SET_FCSR FC_ENABLE(\flag)
        SINGLE  24, 0x5a5a5a5a
        RESUME_AT .Ltrapped\@
        SET_CP0 C0_STATUS, ST_CU1 | ST_IM(FP_INTERRUPT) | ST_IEC
.Lfault\@:
        \insn
        mfc1    $t0, $f24
        nop
        FAIL
.Ltrapped\@:
        CHECK_EXCEPTION EXC_INT, .Lfault\@
        CHECK_STATE_BITS S_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_CAUSE(\cause)
        CHECK_SINGLE 24, 0x5a5a5a5a
        SET_FCSR 0
        SET_CP0 C0_STATUS, ST_CU1
        .endm
FP_TEST
        SINGLE  20, 0x3f800000
        SINGLE  22, 0
        TRAPS   FC_Z, FC_Z, div.s $f24, $f20, $f22
        TRAPS   FC_V, FC_V, div.s $f24, $f22, $f22
        SINGLE  22, 0x40400000
        TRAPS   FC_I, FC_I, div.s $f24, $f20, $f22
        SINGLE  20, 0x7f7fffff
        TRAPS   FC_O, FC_O | FC_I, add.s $f24, $f20, $f20
        SINGLE  20, 0x7fbfffff
        TRAPS   FC_V, FC_V, cvt.w.s $f24, $f20
        TRAPS   FC_V, FC_V, c.lt.s $f20, $f20
TEST_END
