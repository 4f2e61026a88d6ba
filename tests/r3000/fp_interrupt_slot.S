/* The R3010's interrupt at an operation in a delay slot: BD is set, EPC is the branch.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x00000001
        SET_CP0 C0_STATUS, ST_CU1 | ST_IM(FP_INTERRUPT) | ST_IEC
        EXPECT_IN_SLOT EXC_INT, "b 7f", add.s $f24, $f20, $f20
        SET_FCSR 0
TEST_END
