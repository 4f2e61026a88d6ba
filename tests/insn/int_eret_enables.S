/* An interrupt that is pending when eret clears EXL is taken with EPC = the address eret returned to, also where that is
 * in user mode. */
#include "test.h"
TEST
        MAP_PROGRAM
        HOOK    taken
        li      $t0, CA_IP0
        mtc0    $t0, C0_CAUSE
        la      $t0, 1f
        mtc0    $t0, C0_EPC
        li      $t1, 0
        SET_STATUS ST_IE | ST_IM0 | ST_EXL
        eret
1:      CHECK   $t1, 1
        CHECK_STATE S_EPC, 1b
        SET_STATUS 0
        li      $t0, CA_IP0
        mtc0    $t0, C0_CAUSE
        la      $t0, USER(2f)
        mtc0    $t0, C0_EPC
        SET_STATUS ST_IE | ST_IM0 | ST_EXL | ST_UM
        eret
2:      syscall
taken:  lw      $k1, S_CAUSE($k0)
        andi    $k1, $k1, 0x7c
        bnez    $k1, 3f
        mtc0    $zero, C0_CAUSE
        addiu   $t1, $t1, 1
        lw      $t2, S_EPC($k0)
        ehb
        eret
3:      CHECK   $t1, 2                  /* the syscall of user mode */
        CHECK   $t2, USER(2b)
        CHECK_STATE S_EPC, USER(2b)
        b       end
        nop
end:
TEST_END
