/* ctc1 that writes a cause together with its enable, or E, requests the interrupt: kernels restore such states.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        .irp    flag, FC_V, FC_Z, FC_O, FC_U, FC_I
        SET_FCSR FC_CAUSE(\flag)
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
        SET_FCSR FC_ENABLE(\flag)
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
        SET_FCSR FC_CAUSE(\flag) | FC_ENABLE(\flag)
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        .endr
        SET_FCSR FC_E
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        SET_FCSR 0
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), 0
        CHECK_STATE S_COUNT, 0
TEST_END
