/* A signaling NaN (top bit of its fraction set) makes every comparison an invalid operation, also those that take a quiet
 * one; the condition is that of unordered. With the trap enabled the condition keeps its value.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp_compare.h"
FP_TEST
        COMPARE c.eq.s, 0x7fc00001, 0x3f800000, FC_V | FC_CAUSE(FC_V)
        COMPARE c.un.s, 0x3f800000, 0x7fffffff, FC_C | FC_V | FC_CAUSE(FC_V)
        COMPARE c.ule.s, 0xffc00000, 0x7fbfffff, FC_C | FC_V | FC_CAUSE(FC_V)
        COMPARE c.un.s, 0x3f800000, 0x7fbfffff, FC_C
        .irp    c, FC_C, 0
        SET_FCSR \c | FC_ENABLE(FC_V)
        SINGLE  20, 0x7fc00001
        c.un.s  $f20, $f20
        nop
        CHECK_FCSR FC_C | FC_FLAGS | FC_CAUSES, \c | FC_CAUSE(FC_V)
        .endr
        SET_FCSR 0
TEST_END
