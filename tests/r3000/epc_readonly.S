/* EPC belongs to exceptions: mtc0 does not write it on the R3000, whose return goes by jr.
 * gxemul: no (it lets mtc0 write EPC) */
#include "test.h"
TEST
        EXPECT  EXC_SYS, syscall
        mfc0    $t0, C0_EPC
        li      $t1, 0x12345678
        mtc0    $t1, C0_EPC
        SETTLE
        mfc0    $t2, C0_EPC
        nop
        CHECK_SAME $t2, $t0
TEST_END
