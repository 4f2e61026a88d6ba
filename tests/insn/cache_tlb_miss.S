/* cache by address and synci translate like a load: TLBL with BadVAddr. qemu: no (it ignores the address) */
#include "test.h"
TEST
        li      $t0, 0x00c00000
        EXPECT  EXC_TLBL, cache 0x15, 0x20($t0)
        CHECK_STATE S_BADVADDR, 0x00c00020
        EXPECT  EXC_TLBL, synci 0x40($t0)
        CHECK_STATE S_BADVADDR, 0x00c00040
TEST_END
