/* wait ends with an interrupt that is taken behind it: EPC is the next instruction; time has passed. */
#include "test.h"
TEST
        ROUTE_TIMER
        HOOK    taken
        li      $s0, 0
        li      $s1, 5
1:      mfc0    $t0, C0_COUNT
        li      $t1, 100000
        addu    $t0, $t0, $t1
        mtc0    $t0, C0_COMPARE
        SET_STATUS ST_IE | ST_IM7
        wait
2:      nop
        di
        ehb
        mfc0    $t1, C0_COUNT
        subu    $t1, $t1, $t0
        slti    $t2, $t1, 0
        CHECK   $t2, 0
        addiu   $s1, $s1, -1
        bnez    $s1, 1b
        nop
        CHECK   $s0, 5
        CHECK_STATE S_EPC, 2b
        b       end
        nop
taken:  mfc0    $k1, C0_COMPARE
        mtc0    $k1, C0_COMPARE
        addiu   $s0, $s0, 1
        ehb
        eret
end:
TEST_END
