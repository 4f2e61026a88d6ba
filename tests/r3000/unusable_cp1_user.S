/* CU1 counts in user mode as in kernel mode: clear, CpU with CE 1; set, the instruction works. */
#include "test.h"
TEST
        MAP_PROGRAM
        li      $t1, 0x3f800000
        li      $t2, 0
        RUN_USER user
        CHECK_EXCEPTION EXC_CPU, USER(user)
        CHECK_STATE_BITS S_CAUSE, 0x30000000, 1 << 28
        RUN_USER user, ST_CU1
        CHECK_EXCEPTION EXC_SYS, USER(end)
        CHECK   $t2, 0x3f800000
        b       9f
        nop
user:   mtc1    $t1, $f4
        nop
        nop
        mfc1    $t2, $f4
        nop
end:    syscall
9:
TEST_END
