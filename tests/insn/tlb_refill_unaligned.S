/* lwl, lwr, swl, swr on a page that is not mapped: BadVAddr is the address as given, not the aligned one. */
#include "test.h"
#define VA 0x0abcd000
TEST
        li      $t0, VA
        li      $t1, 0x1234
        EXPECT  EXC_TLBL, lwl $t1, 2($t0)
        CHECK_STATE S_BADVADDR, VA + 2
        EXPECT  EXC_TLBL, lwr $t1, 3($t0)
        CHECK_STATE S_BADVADDR, VA + 3
        EXPECT  EXC_TLBS, swl $t1, 1($t0)
        CHECK_STATE S_BADVADDR, VA + 1
        EXPECT  EXC_TLBS, swr $t1, 3($t0)
        CHECK_STATE S_BADVADDR, VA + 3
        CHECK   $t1, 0x1234
TEST_END
