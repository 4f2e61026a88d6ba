/* bc1tl, bc1fl: the delay slot is annulled where the branch is not taken. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR FC_C | 0x04000000
        li      $t0, 0
        bc1tl   1f
        addiu   $t0, $t0, 1
        addiu   $t0, $t0, 2
1:      bc1fl   2f
        addiu   $t0, $t0, 4
        addiu   $t0, $t0, 8
2:      CHECK   $t0, 9
        li      $t0, 0
        bc1tl   $fcc1, 1f
        addiu   $t0, $t0, 1
        addiu   $t0, $t0, 2
1:      bc1fl   $fcc2, 2f
        addiu   $t0, $t0, 4
        addiu   $t0, $t0, 8
2:      CHECK   $t0, 10
        bc1fl   $fcc3, 3f
        addiu   $t0, $t0, 16
        li      $t0, 0
3:      CHECK   $t0, 26
        li      $t0, 0
        bc1fl   1f
        syscall
1:      EXPECT_IN_SLOT EXC_SYS, "bc1tl 7f", syscall
TEST_END
