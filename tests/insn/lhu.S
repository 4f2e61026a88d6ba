/* lhu: every position, no sign, negative offsets, base replaced by the value. */
#include "memory.h"
TEST
        la      $t0, bytes + 4
        LOAD    lhu, -4, 0x00008211
        LOAD    lhu, -2, 0x0000f433
        LOAD    lhu, 0, 0x0000a655
        LOAD    lhu, 2, 0x0000c877
        LOAD    lhu, 4, 0x0000807f
        LOAD    lhu, 6, 0x000000ff
        lhu     $t0, 0($t0)
        CHECK   $t0, 0x0000a655
        la      $t0, bytes + 0x8000
        lhu     $t1, -0x8000($t0)
        CHECK   $t1, 0x00008211
TEST_END
