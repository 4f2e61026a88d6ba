/* lbu: every position, no sign, negative offsets, base replaced by the value. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lbu, -4, 0x00000011
        LOAD    lbu, -3, 0x00000082
        LOAD    lbu, -2, 0x00000033
        LOAD    lbu, -1, 0x000000f4
        LOAD    lbu, 0, 0x00000055
        LOAD    lbu, 1, 0x000000a6
        LOAD    lbu, 2, 0x00000077
        LOAD    lbu, 3, 0x000000c8
        LOAD    lbu, 4, 0x0000007f
        LOAD    lbu, 5, 0x00000080
        LOAD    lbu, 6, 0x000000ff
        LOAD    lbu, 7, 0x00000000
        lbu     $t0, 0($t0)
        CHECK   $t0, 0x00000055
        la      $t0, bytes + 0x8000
        lbu     $t1, -0x8000($t0)
        CHECK   $t1, 0x00000011
TEST_END
