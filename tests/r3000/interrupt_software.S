/* Software interrupts: IP0 and IP1, set by mtc0 to Cause, interrupt when IEc and their mask bit are set; the code is
 * Int, Cause shows the request, EPC is the instruction to return to, which has not executed. */
#include "test.h"
TEST
        HOOK    handler
        .irp    n, 0, 1
        SET_CP0 C0_CAUSE, CA_IP(\n)
        CHECK_STATE S_COUNT, \n
        li      $s0, 0
        li      $t0, ST_IM(\n) | ST_IEC
        mtc0    $t0, C0_STATUS
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        CHECK   $s0, 6                  /* each executed once */
        CHECK_STATE S_COUNT, \n + 1
        CHECK_STATE_BITS S_CAUSE, 0x37c, (EXC_INT << 2) | CA_IP(\n)
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_IEP
        CHECK_STATE S_VECTOR, VECTOR_GENERAL
        CHECK_CP0_BITS C0_STATUS, ST_STACK, ST_IEC
        SET_CP0 C0_STATUS, 0
        .endr
        b       9f
        nop
handler: mtc0   $zero, C0_CAUSE
        SETTLE
        HOOK_RETURN
9:
TEST_END
