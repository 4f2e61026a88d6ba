/* Count reaches Compare: Cause.TI and IP7, an interrupt if enabled; writing Compare takes both away. */
#include "test.h"
TEST
        ROUTE_TIMER
        mfc0    $t0, C0_COUNT
        addiu   $t0, $t0, 2000
        mtc0    $t0, C0_COMPARE
        ehb
        mfc0    $t1, C0_CAUSE
        CHECK_BITS $t1, CA_TI | 0x8000, 0
1:      mfc0    $t1, C0_CAUSE           /* polled, interrupts off */
        ext     $t2, $t1, 30, 1
        beqz    $t2, 1b
        nop
        mfc0    $t3, C0_COUNT
        subu    $t3, $t3, $t0
        slti    $t4, $t3, 0             /* not before its time */
        CHECK   $t4, 0
        CHECK_BITS $t1, CA_TI | 0x8000, CA_TI | 0x8000
        mfc0    $t0, C0_COMPARE
        mtc0    $t0, C0_COMPARE
        ehb
        mfc0    $t1, C0_CAUSE
        CHECK_BITS $t1, CA_TI | 0x8000, 0

        HOOK    taken
        li      $s0, 0
        mfc0    $t0, C0_COUNT
        addiu   $t0, $t0, 1000
        mtc0    $t0, C0_COMPARE
        SET_STATUS ST_IE | ST_IM7
        li      $t1, 1000000
2:      bnez    $s0, 3f
        addiu   $t1, $t1, -1
        bnez    $t1, 2b
        nop
3:      CHECK   $s0, 1
        SET_STATUS 0
        lw      $t1, S_CAUSE($gp)
        CHECK_BITS $t1, 0x7c | 0x8000 | CA_TI, 0x8000 | CA_TI
        CHECK_STATE S_COUNT, 1
        b       end
        nop
taken:  mfc0    $k1, C0_COMPARE
        mtc0    $k1, C0_COMPARE
        addiu   $s0, $s0, 1
        ehb
        eret
end:
TEST_END
