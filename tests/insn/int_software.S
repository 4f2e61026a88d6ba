/* Software interrupts: nothing without IM or IE or under EXL; with both, taken at once: ExcCode 0, Cause.IP
 * showing it, general vector; gone when software clears it. */
#include "test.h"
.macro EXPECT_INT ip
        li      $s0, 0
        SET_STATUS ST_IE | ST_IM0 | ST_IM1
1:      nop
        nop
        CHECK   $s0, \ip
        SET_STATUS 0
.endm
TEST
        HOOK    taken
        li      $t0, CA_IP0
        mtc0    $t0, C0_CAUSE
        ehb
        SET_STATUS ST_IE                /* masked */
        nop
        SET_STATUS ST_IM0               /* disabled */
        nop
        SET_STATUS ST_IE | ST_IM0 | ST_EXL
        nop
        SET_STATUS ST_IE | ST_IM0 | ST_ERL
        nop
        SET_STATUS ST_IE | ST_IM1       /* another */
        nop
        CHECK_STATE S_COUNT, 0
        mfc0    $t0, C0_CAUSE
        CHECK_BITS $t0, CA_IP0 | CA_IP1, CA_IP0
        EXPECT_INT 1
        CHECK_STATE S_VECTOR, 0x180
        lw      $t0, S_CAUSE($gp)
        CHECK_BITS $t0, 0x7c | CA_IP0 | CA_IP1 | CA_BD, CA_IP0
        lw      $t0, S_EPC($gp)         /* at the barrier or right behind it */
        la      $t1, 1b
        subu    $t1, $t1, $t0
        sltiu   $t1, $t1, 5
        CHECK   $t1, 1
        li      $t0, CA_IP1
        mtc0    $t0, C0_CAUSE
        ehb
        EXPECT_INT 2
        li      $t0, CA_IP1 | CA_IP0
        mtc0    $t0, C0_CAUSE
        ehb
        EXPECT_INT 3
        CHECK_STATE S_COUNT, 3
        b       end
        nop
taken:  mfc0    $k1, C0_CAUSE
        ext     $s0, $k1, 8, 2
        ins     $k1, $zero, 8, 2
        mtc0    $k1, C0_CAUSE
        ehb
        eret
end:
TEST_END
