/* jal: $ra is the address after the delay slot, and the delay slot sees it. */
#include "test.h"
TEST
        li      $ra, 0
        jal     1f
        move    $t0, $ra
8:      FAIL
1:      CHECK   $ra, 8b
        CHECK   $t0, 8b
TEST_END
