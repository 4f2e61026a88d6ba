/* With CU0 set, user mode may use coprocessor 0. */
#include "test.h"
TEST
        MAP_PROGRAM
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        li      $t1, 0x5a5a5a5a
        RUN_USER user, ST_CU0
        CHECK_EXCEPTION EXC_SYS, USER(end)
        CHECK   $t1, HI(0x12345000, 3)
        CHECK_CP0 C0_INDEX, INDEX(5)
        b       9f
        nop
user:   mfc0    $t1, C0_ENTRYHI
        li      $t2, INDEX(5)
        mtc0    $t2, C0_INDEX
        SETTLE
end:    syscall
9:
TEST_END
