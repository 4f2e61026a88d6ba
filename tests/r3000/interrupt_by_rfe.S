/* A pending request interrupts when rfe brings IEc back: in the new mode, within the few instructions of the hazard,
 * and as many have executed as EPC says.
 * gxemul: no (it looks for requests only between its stretches of code) */
#include "test.h"
TEST
        MAP_PROGRAM
        SET_CP0 C0_CAUSE, CA_IP(1)
        li      $s0, 0
        RUN_USER user, ST_IEP | ST_IM(1)
        CHECK_STATE_BITS S_CAUSE, 0x7c, EXC_INT << 2
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP | ST_IEP
        lw      $t0, S_EPC($gp)         /* user code, not kernel code: the interrupt waited for the jump */
        la      $t1, USER(user)
        subu    $t0, $t0, $t1
        sltiu   $t2, $t0, 13
        CHECK   $t2, 1
        srl     $t0, $t0, 2             /* as many instructions as EPC says have executed */
        CHECK_SAME $t0, $s0
        SET_CP0 C0_CAUSE, 0
        b       9f
        nop
user:   addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        addiu   $s0, $s0, 1
        syscall
9:
TEST_END
