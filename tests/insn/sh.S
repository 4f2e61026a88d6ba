/* sh: stores its bytes at every position and no others. */
#include "memory.h"
TEST
        STORE   sh, 0, 0x5a5ad6f8
        STORE   sh, 2, 0xd6f85a5a
        sh      $zero, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0xd6f80000
TEST_END
