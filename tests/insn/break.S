/* break: ExcCode 9; the code is in the instruction at EPC. */
#include "test.h"
TEST
        EXPECT  EXC_BP, break
        EXPECT  EXC_BP, break 7
        lw      $t0, S_EPC($gp)
        lw      $t0, 0($t0)
        ext     $t0, $t0, 16, 10
        CHECK   $t0, 7
        EXPECT  EXC_BP, break 7, 5
TEST_END
