/* Two processors increment one word by ll and sc: no increment is lost. For the smp_ll_sc_counter*.S, which say how
 * often the processors change places. */
#include "test.h"
#define TURNS 10000
TEST
        START_OTHER 1
        jal     increment
        li      $a0, 3
        la      $t0, done
1:      lw      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        la      $t0, counter
        lw      $t1, 0($t0)
        CHECK   $t1, 2 * TURNS
        lw      $t1, 4($t0)             /* and they did meet: some sc failed */
        CHECK_TRUE $t1
TEST_END

increment:
        la      $t0, counter
        li      $t2, TURNS
        li      $t4, 0
1:      ll      $t1, 0($t0)
        addiu   $t1, $t1, 1
        sc      $t1, 0($t0)
        beqzl   $t1, 1b
        addiu   $t4, $t4, 1
        and     $t5, $t2, $a0           /* rests of different lengths, so that they meet in every way */
3:      bnez    $t5, 3b
        addiu   $t5, $t5, -1
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
2:      ll      $t1, 4($t0)
        addu    $t1, $t1, $t4
        sc      $t1, 4($t0)
        beqz    $t1, 2b
        nop
        jr      $ra
        sync

        .globl  test_other
test_other:
        jal     increment
        li      $a0, 6
        la      $t0, done
        li      $t1, 1
        sw      $t1, 0($t0)
1:      b       1b
        nop
        .data
        .balign 64
counter: .word  0, 0
        .balign 64
done:   .word   0
