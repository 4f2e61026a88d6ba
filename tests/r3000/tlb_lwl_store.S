/* lwl, lwr, swl and swr translate the word they touch: a miss has TLBL or TLBS, and the register keeps its value. */
#include "test.h"
TEST
        li      $t0, 0x00712000
        li      $t1, 0x5a5a5a5a
        .irp    place, 0, 1, 2, 3
        EXPECT  EXC_TLBL, lwl $t1, \place($t0)
        EXPECT  EXC_TLBL, lwr $t1, \place($t0)
        EXPECT  EXC_TLBS, swl $t1, \place($t0)
        EXPECT  EXC_TLBS, swr $t1, \place($t0)
        .endr
        CHECK   $t1, 0x5a5a5a5a
        CHECK_STATE S_COUNT, 16
TEST_END
