/* lb: every position, sign, negative offsets, base replaced by the value. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lb, -4, 0x00000011
        LOAD    lb, -3, 0xffffff82
        LOAD    lb, -2, 0x00000033
        LOAD    lb, -1, 0xfffffff4
        LOAD    lb, 0, 0x00000055
        LOAD    lb, 1, 0xffffffa6
        LOAD    lb, 2, 0x00000077
        LOAD    lb, 3, 0xffffffc8
        LOAD    lb, 4, 0x0000007f
        LOAD    lb, 5, 0xffffff80
        LOAD    lb, 6, 0xffffffff
        LOAD    lb, 7, 0x00000000
        lb      $t0, 0($t0)
        CHECK   $t0, 0x00000055
        la      $t0, bytes + 0x8000
        lb      $t1, -0x8000($t0)
        CHECK   $t1, 0x00000011
TEST_END
