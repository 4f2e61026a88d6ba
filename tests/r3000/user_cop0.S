/* Coprocessor 0 is unusable in user mode while CU0 is clear: mfc0, mtc0, the TLB's four instructions and rfe raise CpU
 * with CE 0, and change nothing.
 * gxemul: no (it lets mfc0 and mtc0 through) */
#include "test.h"
TEST
        MAP_PROGRAM
        SET_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        SET_CP0 C0_INDEX, INDEX(5)
        .irp    label, u0, u1, u2, u3, u4, u5, u6, u7
        li      $t1, 0x5a5a5a5a
        RUN_USER \label
        CHECK_EXCEPTION EXC_CPU, USER(\label)
        CHECK_STATE_BITS S_CAUSE, 0x30000000, 0
        CHECK   $t1, 0x5a5a5a5a
        CHECK_CP0 C0_ENTRYHI, HI(0x12345000, 3)
        CHECK_CP0 C0_INDEX, INDEX(5)
        .endr
        READ_TLB 5
        CHECK_CP0 C0_ENTRYHI, 0x80005000
        b       9f
        nop
u0:     mfc0    $t1, C0_STATUS
u1:     mtc0    $t1, C0_ENTRYHI
u2:     tlbr
u3:     tlbwi
u4:     tlbwr
u5:     tlbp
u6:     rfe
u7:     mtc0    $t1, C0_STATUS
9:
TEST_END
