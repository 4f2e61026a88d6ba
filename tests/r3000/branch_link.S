/* jal, jalr, bgezal and bltzal link to the address behind the delay slot; the conditional ones whether taken or not;
 * and bltzal of $ra tests the value from before its link. */
#include "test.h"
TEST
        jal     1f
        nop
2:      FAIL
1:      CHECK   $ra, 2b
        la      $t0, 1f
        jalr    $t3, $t0
        nop
2:      FAIL
1:      CHECK   $t3, 2b
        li      $t0, -1
        bltzal  $t0, 1f
        nop
2:      FAIL
1:      CHECK   $ra, 2b
        bgezal  $t0, 1f
        nop
2:      CHECK   $ra, 2b
        b       3f
        nop
1:      FAIL
3:      li      $ra, 1                  /* the link would be negative */
        .word   0x07f00004              /* bltzal $ra, 1f */
        nop
2:      b       3f
        nop
        nop
1:      FAIL
3:      CHECK   $ra, 2b
TEST_END
