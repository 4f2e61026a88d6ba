/* $zero reads as 0 whatever is written to it, by arithmetic, loads, links, moves from elsewhere. */
#include "alu.h"
TEST
        li      $t0, -1
        addu    $zero, $t0, $t0
        CHECK   $zero, 0
        la      $t1, 1f
        lw      $zero, 0($t1)
        CHECK   $zero, 0
        lbu     $zero, 0($t1)
        CHECK   $zero, 0
        lwl     $zero, 0($t1)
        CHECK   $zero, 0
        ll      $zero, 0($t1)
        CHECK   $zero, 0
        la      $t1, 2f
        jalr    $zero, $t1
        nop
        FAIL
2:
        CHECK   $zero, 0
        mfc0    $zero, C0_PRID
        CHECK   $zero, 0
        mthi    $t0
        mfhi    $zero
        CHECK   $zero, 0
        slti    $zero, $zero, 1
        CHECK   $zero, 0
        addu    $t2, $zero, $zero
        CHECK   $t2, 0
        b       3f
        nop
        .balign 4
1:
        .word   0xffffffff
3:
TEST_END
