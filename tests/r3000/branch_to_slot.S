/* A branch whose target is its own delay slot executes the slot twice. */
#include "test.h"
TEST
        li      $t0, 0
        b       1f
1:      addiu   $t0, $t0, 1
        CHECK   $t0, 2
        li      $t0, 0
        la      $t1, 2f
        jr      $t1
2:      addiu   $t0, $t0, 1
        CHECK   $t0, 2
TEST_END
