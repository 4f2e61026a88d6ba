/* Calls and returns that do not pair: deeper than any stack of a translator, returns past several callers, to another
 * caller, to code that the called function has changed, by other registers. */
#include "test.h"
        .text
        .balign 4096
TEST
        /* 5000 calls deep: the sum of the numbers */
        li      $a0, 5000
        li      $sp, KSEG0(FREE_PA) + 0x10000
        jal     sum
        nop
        CHECK   $v0, 5000 * 5001 / 2

        /* and back in one step, past all of them */
        li      $a0, 300
        la      $t9, 1f
        li      $t8, 0
        jal     dive
        nop
        FAIL
1:      CHECK   $t8, 300

        /* a function that returns to another caller than its own, in turns */
        li      $t0, 100
        li      $t1, 0
2:      la      $t2, 3f
        jal     elsewhere
        addiu   $t1, $t1, 1
        FAIL
3:      la      $t2, 4f
        jal     elsewhere
        addiu   $t1, $t1, 1
        FAIL
4:      addiu   $t0, $t0, -1
        bnez    $t0, 2b
        nop
        CHECK   $t1, 200

        /* the delay slot of the call says where it returns to */
        la      $t2, 5f
        jal     back
        move    $ra, $t2
        FAIL
5:      /* through other registers, as `jalr $t3, $t4`; and the return by one */
        la      $t4, back_t3
        jalr    $t3, $t4
        nop
        la      $t4, back
        jalr    $t4
        nop
        la      $t4, back_t3
        move    $t3, $ra
        jal     by_t3
        nop

        /* returned to is what the function has made of it */
        la      $t5, changed
        li      $t6, 0x24020007 /* li $v0, 7 */
        li      $t7, 3
6:      li      $v0, 0
        jal     change
        nop
changed: li     $v0, 1
        CHECK_SAME $v0, $t8
        addiu   $t6, $t6, 1
        addiu   $t7, $t7, -1
        bnez    $t7, 6b
        nop
TEST_END

        .balign 4096
sum:    addiu   $sp, $sp, -8
        sw      $ra, 0($sp)
        blez    $a0, 1f
        move    $v0, $zero
        sw      $a0, 4($sp)
        jal     sum
        addiu   $a0, $a0, -1
        lw      $a0, 4($sp)
        addu    $v0, $v0, $a0
1:      lw      $ra, 0($sp)
        jr      $ra
        addiu   $sp, $sp, 8

dive:   addiu   $t8, $t8, 1
        beq     $t8, $a0, 1f
        nop
        jal     dive
        nop
        FAIL
1:      move    $ra, $t9
        jr      $ra
        nop

elsewhere:
        move    $ra, $t2
        jr      $ra
        nop
back:   jr      $ra
        nop
back_t3: jr     $t3
        nop
by_t3:  move    $t3, $ra
        jr      $t3
        nop

change: sw      $t6, 0($t5)
        synci   0($t5)
        sync
        andi    $t8, $t6, 0xff
        jr.hb   $ra
        nop
        .balign 4096
