/* jr, jr.hb: to the register's value of before the delay slot. */
#include "test.h"
TEST
        la      $t0, 1f
        li      $t1, 0
        jr      $t0
        li      $t0, 0
        addiu   $t1, $t1, 1
1:      CHECK   $t1, 0
        CHECK   $t0, 0
        la      $t0, 2f
        jr.hb   $t0
        addiu   $t1, $t1, 4
        addiu   $t1, $t1, 1
2:      CHECK   $t1, 4
TEST_END
