/* The R3010 interrupts a program in user mode at the operation; the handler runs in kernel mode with IEc clear, although
 * the request stays until ctc1.
 * gxemul: no (its FPU has no flags, rounding modes and exceptions) */
#include "fp.h"
FP_TEST
        MAP_PROGRAM
        SINGLE  20, 0x00000001
        SINGLE  24, 0x5a5a5a5a
        li      $s0, 0
        RUN_USER user, ST_CU1 | ST_IM(FP_INTERRUPT) | ST_IEP
        CHECK_EXCEPTION EXC_INT, USER(at)
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP | ST_IEP
        CHECK   $s0, 1
        CHECK_STATE S_COUNT, 1
        CHECK_CP0_BITS C0_CAUSE, CA_IP(FP_INTERRUPT), CA_IP(FP_INTERRUPT)
        SET_CP0 C0_STATUS, ST_CU1
        SET_FCSR 0
        b       9f
        nop
user:   addiu   $s0, $s0, 1
at:     mul.s   $f24, $f20, $f20
        mfc1    $t0, $f24
        addiu   $s0, $s0, 1
        syscall
9:
TEST_END
