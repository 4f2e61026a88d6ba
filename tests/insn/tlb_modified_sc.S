/* sc to a page that is not dirty: Mod, as for any store. */
#include "test.h"
#define VA 0x00c00000
TEST
        MAP     1, VA, LO(FREE_PA, LO_V), LO(FREE_PA, LO_V)
        li      $t0, VA
        ll      $t1, 4($t0)
        EXPECT  EXC_MOD, sc $t1, 4($t0)
        CHECK_STATE S_BADVADDR, VA + 4
TEST_END
