/* jalr, jalr.hb: links in $ra or any other register, or nowhere. */
#include "test.h"
TEST
        la      $t0, 1f
        li      $ra, 0
        jalr    $t0
        move    $t1, $ra
8:      FAIL
1:      CHECK   $ra, 8b
        CHECK   $t1, 8b
        la      $t0, 1f
        jalr    $t5, $t0
        li      $t0, 0
8:      FAIL
1:      CHECK   $t5, 8b
        CHECK   $t0, 0
        la      $t0, 1f
        jalr.hb $t6, $t0
        nop
8:      FAIL
1:      CHECK   $t6, 8b
        la      $t0, 1f
        jalr    $zero, $t0
        nop
        FAIL
1:      CHECK   $zero, 0
TEST_END
