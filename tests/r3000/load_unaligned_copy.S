/* A copy of 1 KB with lwr and lwl, swr and swl from and to every alignment, as C libraries do it. */
#include "test.h"
#define FROM KSEG0(FREE_PA)
#define TO   KSEG0(FREE_PA + 0x1000)
TEST
        li      $s0, 15                 /* alignments: two bits each */
1:      li      $t0, FROM
        li      $t1, TO
        li      $t2, 1040
        li      $t3, 0x35
2:      sb      $t3, 0($t0)
        sb      $zero, 0($t1)
        sll     $t4, $t3, 1
        addu    $t3, $t3, $t4
        addiu   $t3, $t3, 0x17
        addiu   $t0, $t0, 1
        addiu   $t2, $t2, -1
        bnez    $t2, 2b
        addiu   $t1, $t1, 1
        andi    $t4, $s0, 3
        srl     $t5, $s0, 2
        li      $t0, FROM
        addu    $t0, $t0, $t4
        li      $t1, TO
        addu    $t1, $t1, $t5
        move    $s1, $t0
        move    $s2, $t1
        li      $t2, 1024
3:      lwr     $t6, 0($t0)
        lwl     $t6, 3($t0)
        lwl     $t7, 7($t0)
        lwr     $t7, 4($t0)
        swr     $t6, 0($t1)
        swl     $t6, 3($t1)
        swl     $t7, 7($t1)
        swr     $t7, 4($t1)
        addiu   $t2, $t2, -8
        addiu   $t0, $t0, 8
        bnez    $t2, 3b
        addiu   $t1, $t1, 8
        lbu     $t6, 0($t1)             /* nothing behind it */
        li      $t2, 1024
        CHECK   $t6, 0
4:      lbu     $t6, 0($s1)
        lbu     $t7, 0($s2)
        addiu   $t2, $t2, -1
        CHECK_SAME $t6, $t7
        addiu   $s1, $s1, 1
        bnez    $t2, 4b
        addiu   $s2, $s2, 1
        addiu   $s0, $s0, -1
        bgez    $s0, 1b
        nop
TEST_END
