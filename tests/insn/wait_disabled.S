/* wait with IE = 0 ends with a pending interrupt that IM lets through and is not taken (Config7.WII); one that is pending
 * already makes it do nothing. qemu: no (it waits on) */
#include "test.h"
TEST
        ROUTE_TIMER
        SET_STATUS ST_IM7
        mfc0    $t0, C0_COUNT
        li      $t1, 50000
        addu    $t0, $t0, $t1
        mtc0    $t0, C0_COMPARE
        ehb
        wait
        mfc0    $t1, C0_COUNT
        subu    $t1, $t1, $t0
        slti    $t2, $t1, 0
        CHECK   $t2, 0
        mfc0    $t1, C0_CAUSE
        CHECK_BITS $t1, CA_TI | 0x8000, CA_TI | 0x8000
        wait
        CHECK_STATE S_COUNT, 0
        mtc0    $t0, C0_COMPARE
        li      $t0, CA_IP0
        mtc0    $t0, C0_CAUSE
        SET_STATUS ST_IM0
        wait
        CHECK_STATE S_COUNT, 0
TEST_END
