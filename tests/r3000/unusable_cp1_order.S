/* CpU of a coprocessor's load comes before what its address would raise: the address is not looked at. */
#include "test.h"
TEST
        li      $t0, 0x00700001
        EXPECT_UNUSABLE 1, lwc1 $f0, 0($t0)
        EXPECT_UNUSABLE 1, swc1 $f0, 0($t0)
TEST_END
