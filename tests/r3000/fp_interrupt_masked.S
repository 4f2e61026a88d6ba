/* With the mask bit or IEc clear the R3010's request stays in Cause; it interrupts when both are set, and goes away
 * when ctc1 clears the cause. A disabled exception requests nothing.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x3f800000
        SINGLE  22, 0
        div.s   $f24, $f20, $f22        /* disabled */
        SETTLE
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
        SET_FCSR FC_ENABLE(FC_Z)
        SET_CP0 C0_STATUS, ST_CU1 | ST_IEC
        div.s   $f24, $f20, $f22
        SETTLE
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        SET_CP0 C0_STATUS, ST_CU1 | ST_IM(FP_INTERRUPT)
        CHECK_STATE S_COUNT, 0
        RESUME_AT 1f
        SET_CP0 C0_STATUS, ST_CU1 | ST_IM(FP_INTERRUPT) | ST_IEC
        SETTLE
        FAIL
1:      CHECK_STATE_BITS S_CAUSE, 0x7c | CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        SET_FCSR 0
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
        CHECK_STATE S_COUNT, 1
TEST_END
