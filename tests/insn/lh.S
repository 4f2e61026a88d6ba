/* lh: every position, sign, negative offsets, base replaced by the value. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lh, -4, 0xffff8211
        LOAD    lh, -2, 0xfffff433
        LOAD    lh, 0, 0xffffa655
        LOAD    lh, 2, 0xffffc877
        LOAD    lh, 4, 0xffff807f
        LOAD    lh, 6, 0x000000ff
        lh      $t0, 0($t0)
        CHECK   $t0, 0xffffa655
        la      $t0, bytes + 0x8000
        lh      $t1, -0x8000($t0)
        CHECK   $t1, 0xffff8211
TEST_END
