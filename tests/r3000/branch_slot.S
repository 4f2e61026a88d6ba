/* The delay slot of every branch and jump executes, taken or not, and after the condition was tested. */
#include "test.h"
TEST
        li      $t0, 0
        b       1f
        addiu   $t0, $t0, 1
        FAIL
1:      CHECK   $t0, 1
        bnez    $zero, 2f
        addiu   $t0, $t0, 1
        CHECK   $t0, 2
        bnez    $t0, 3f                 /* the slot changes the register of the condition */
        li      $t0, 0
2:      FAIL
3:      CHECK   $t0, 0
        la      $t1, 4f                 /* and of the target */
        jr      $t1
        li      $t1, 0
        FAIL
4:      CHECK   $t1, 0
        jal     5f                      /* the slot sees the link */
        move    $t2, $ra
6:      FAIL
5:      CHECK   $t2, 6b
        jal     7f                      /* and may change it */
        li      $ra, 0x77
        FAIL
7:      CHECK   $ra, 0x77
TEST_END
