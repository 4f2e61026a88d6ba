/* sb: stores its bytes at every position and no others. */
#include "memory.h"
TEST
        STORE   sb, 0, 0x5a5a5af8
        STORE   sb, 1, 0x5a5af85a
        STORE   sb, 2, 0x5af85a5a
        STORE   sb, 3, 0xf85a5a5a
        sb      $zero, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0xf85a5a00
TEST_END
