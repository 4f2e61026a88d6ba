/* Random stays between 8 and 63 in bits 13..8, all other bits zero, and takes different values: in 4096 readings at
 * different distances each of the 56 comes up, and never one of the 8 wired ones. It cannot be written.
 * gxemul: no (its Random starts at 0 and moves with tlbwr only) */
#include "test.h"
TEST
        li      $s0, KSEG0(FREE_PA)     /* seen[64] */
        li      $t0, 64
1:      sb      $zero, 0($s0)
        addiu   $t0, $t0, -1
        bnez    $t0, 1b
        addiu   $s0, $s0, 1
        li      $s0, KSEG0(FREE_PA)
        li      $s1, 4096
        li      $s2, 1
2:      mfc0    $t0, C0_RANDOM
        li      $t2, ~0x3f00
        and     $t1, $t0, $t2
        CHECK   $t1, 0
        srl     $t0, $t0, 8
        slti    $t1, $t0, 8
        CHECK   $t1, 0
        addu    $t0, $t0, $s0
        li      $t1, 1
        sb      $t1, 0($t0)
        srl     $t0, $s2, 16            /* a pause of 0 to 31 turns of three instructions, pseudo-random */
        andi    $t0, $t0, 31
3:      addiu   $t0, $t0, -1
        bgez    $t0, 3b
        nop
        sll     $t0, $s2, 2
        addu    $s2, $t0, $s2
        addiu   $s2, $s2, 1
        addiu   $s1, $s1, -1
        bnez    $s1, 2b
        nop
        li      $t0, 8
4:      addu    $t1, $t0, $s0
        lbu     $t1, 0($t1)
        addiu   $t0, $t0, 1
        CHECK   $t1, 1
        slti    $t1, $t0, 64
        bnez    $t1, 4b
        nop
        SET_CP0 C0_RANDOM, 0
        mfc0    $t0, C0_RANDOM
        nop
        srl     $t0, $t0, 8
        slti    $t1, $t0, 8
        CHECK   $t1, 0
TEST_END
