/* rdhwr in kernel mode needs no permission: CPU number, synci step, Count, its resolution, UserLocal. qemu: no (its 34Kf has no
 * UserLocal) */
#include "test.h"
TEST
        rdhwr   $t0, $0
        CHECK   $t0, 0
        rdhwr   $t0, $1
        CHECK   $t0, 32
        rdhwr   $t0, $2
        mfc0    $t1, C0_COUNT
        subu    $t1, $t1, $t0
        sltiu   $t1, $t1, 10000
        CHECK   $t1, 1
        rdhwr   $t0, $3
        CHECK_TRUE $t0
        li      $t1, 0x12345678
        mtc0    $t1, C0_USERLOCAL
        ehb
        rdhwr   $t0, $29
        CHECK   $t0, 0x12345678
        mfc0    $t0, C0_USERLOCAL
        CHECK   $t0, 0x12345678
        EXPECT  EXC_RI, .word 0x7c0af83b        /* $31 */
        EXPECT  EXC_RI, .word 0x7c0a283b        /* $5 */
TEST_END
