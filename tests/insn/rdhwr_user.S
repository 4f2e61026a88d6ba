/* rdhwr in user mode: RI unless the register's bit of HWREna is set. qemu: no (its 34Kf has no UserLocal)
 */
#include "test.h"
.macro DENIED number
        b       2f
        li      $t2, 0x1234
1:      rdhwr   $t2, $\number
        syscall
2:      RUN_USER 1b
        CHECK_EXCEPTION EXC_RI, USER(1b)
        CHECK   $t2, 0x1234
.endm
.macro ALLOWED number
        b       2f
        li      $t2, 0x1234
1:      rdhwr   $t2, $\number
        syscall
2:      RUN_USER 1b
        CHECK_EXCEPTION EXC_SYS, USER(1b) + 4
.endm
TEST
        MAP_PROGRAM
        li      $t1, 0x7ff00000
        mtc0    $t1, C0_USERLOCAL
        mtc0    $zero, C0_HWRENA
        ehb
        DENIED  0
        DENIED  1
        DENIED  2
        DENIED  3
        DENIED  29
        li      $t1, 0x2000000f
        mtc0    $t1, C0_HWRENA
        ehb
        mfc0    $t2, C0_HWRENA
        CHECK_SAME $t1, $t2
        ALLOWED 0
        CHECK   $t2, 0
        ALLOWED 1
        CHECK   $t2, 32
        ALLOWED 2
        ALLOWED 3
        ALLOWED 29
        CHECK   $t2, 0x7ff00000
        li      $t1, 1 << 29
        mtc0    $t1, C0_HWRENA
        ehb
        DENIED  0
        DENIED  2
        ALLOWED 29
        CHECK   $t2, 0x7ff00000
TEST_END
