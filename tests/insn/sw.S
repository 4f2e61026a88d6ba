/* sw: stores its bytes at every position and no others. */
#include "memory.h"
TEST
        STORE   sw, 0, 0x12b4d6f8
        sw      $zero, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x00000000
TEST_END
