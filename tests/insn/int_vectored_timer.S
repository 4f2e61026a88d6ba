/* The timer interrupt, IP7, at its own vector, before a software interrupt that is pending too. */
#include "test.h"
TEST
        ROUTE_TIMER
        HOOK    taken
        li      $s0, 0
        li      $at, 0x20
        mtc0    $at, C0_INTCTL
        mfc0    $t0, C0_COUNT
        addiu   $t0, $t0, 100
        mtc0    $t0, C0_COMPARE
        li      $at, CA_IV | CA_IP0
        mtc0    $at, C0_CAUSE
        ehb
1:      mfc0    $t0, C0_CAUSE
        ext     $t0, $t0, 15, 1
        beqz    $t0, 1b
        nop
        SET_STATUS ST_IE | ST_IM7 | ST_IM0
        nop
        nop
        SET_STATUS 0
        CHECK   $s0, 0x2e0 << 16 | 0x200
        CHECK_STATE S_COUNT, 2
        b       end
        nop
taken:  sll     $s0, $s0, 16
        lw      $k1, S_VECTOR($k0)
        or      $s0, $s0, $k1
        li      $at, 0x2e0
        bne     $k1, $at, 1f
        nop
        mfc0    $k1, C0_COMPARE
        mtc0    $k1, C0_COMPARE
        ehb
        eret
1:      li      $k1, CA_IV
        mtc0    $k1, C0_CAUSE
        ehb
        eret
end:
TEST_END
