/* Status.CU0 lets user mode use CP0. */
#include "test.h"
TEST
        MAP_PROGRAM
        li      $t1, 0x1234
        mtc0    $t1, C0_COMPARE
        b       2f
        li      $t2, 0
1:      mfc0    $t2, C0_COMPARE
        syscall
2:      RUN_USER 1b, ST_CU0
        CHECK_EXCEPTION EXC_SYS, USER(1b) + 4
        CHECK   $t2, 0x1234
TEST_END
