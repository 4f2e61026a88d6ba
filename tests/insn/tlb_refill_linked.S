/* ll on a page that is not mapped misses as a load does, sc as a store. qemu: no (sc without a link does
 * not look at its address there) */
#include "test.h"
#define VA 0x0abcd000
TEST
        li      $t0, VA
        li      $t1, 0x1234
        EXPECT  EXC_TLBL, ll $t1, 8($t0)
        CHECK_STATE S_VECTOR, 0
        CHECK_STATE S_BADVADDR, VA + 8
        CHECK   $t1, 0x1234
        EXPECT  EXC_TLBS, sc $t1, 12($t0)
        CHECK_STATE S_VECTOR, 0
        CHECK_STATE S_BADVADDR, VA + 12
        CHECK   $t1, 0x1234
TEST_END
