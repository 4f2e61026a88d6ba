/* jr to EPC with rfe in the slot continues the interrupted program at the instruction after a syscall, in its mode. */
#include "test.h"
TEST
        MAP_PROGRAM
        HOOK    handler
        li      $s0, 0
        la      $t0, USER(user)
        SET_CP0 C0_STATUS, ST_KUP
        jr      $t0
        rfe
handler: addiu  $s1, $zero, 3
        beq     $s0, $s1, 9f
        nop
        HOOK_RETURN 4
user:   addiu   $s0, $s0, 1
        syscall
        addiu   $s0, $s0, 1
        syscall
        addiu   $s0, $s0, 1
        syscall
9:      UNHOOK
        CHECK_STATE S_COUNT, 3
        CHECK_STATE_BITS S_STATUS, ST_STACK, ST_KUP
        CHECK   $s0, 3
TEST_END
