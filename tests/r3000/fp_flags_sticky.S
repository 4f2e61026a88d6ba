/* Flags accumulate until ctc1 clears them; causes are the last operation's: one without exceptions clears them.
 * Moves and branches leave them.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x3f800000
        SINGLE  22, 0
        div.s   $f24, $f20, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_CAUSE(FC_Z)
        div.s   $f24, $f22, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V | FC_CAUSE(FC_V)
        add.s   $f24, $f20, $f20
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V
        SINGLE  22, 0x40400000
        div.s   $f24, $f20, $f22
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V | FC_I | FC_CAUSE(FC_I)
        mtc1    $zero, $f26
        nop
        mfc1    $t0, $f26
        nop
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_Z | FC_V | FC_I | FC_CAUSE(FC_I)
        SET_FCSR 0
        CHECK_FCSR FC_FLAGS | FC_CAUSES, 0
TEST_END
