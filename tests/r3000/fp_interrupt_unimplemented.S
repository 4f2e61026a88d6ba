/* E has no enable: it always requests the interrupt. EPC is the operation, which software then does.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        SINGLE  20, 0x00000001
        SINGLE  24, 0x5a5a5a5a
        RESUME_AT 2f
        SET_CP0 C0_STATUS, ST_CU1 | ST_IM(FP_INTERRUPT) | ST_IEC
1:      add.s   $f24, $f20, $f20
        mfc1    $t0, $f24
        nop
        FAIL
2:      CHECK_EXCEPTION EXC_INT, 1b
        CHECK_FCSR FC_FLAGS | FC_CAUSES, FC_E
        CHECK_SINGLE 24, 0x5a5a5a5a
        SET_FCSR 0
TEST_END
