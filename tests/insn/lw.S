/* lw: every position, negative offsets, base replaced by the value. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lw, -4, 0xf4338211
        LOAD    lw, 0, 0xc877a655
        LOAD    lw, 4, 0x00ff807f
        lw      $t0, 0($t0)
        CHECK   $t0, 0xc877a655
        la      $t0, bytes + 0x8000
        lw      $t1, -0x8000($t0)
        CHECK   $t1, 0xf4338211
TEST_END
