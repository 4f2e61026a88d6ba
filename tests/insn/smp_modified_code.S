/* One processor rewrites a function, the other, told so, calls it: it executes the new code each time.
 * simos: --cpus 2 --set machine.quantum=13 */
/* qemu: no */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x03e00008         /* jr $ra */
        sw      $t1, 0($t0)
        la      $t5, turn
        START_OTHER 1
        li      $t3, 1
1:      li      $t1, 0x24020000         /* addiu $v0, $zero, N */
        addu    $t1, $t1, $t3
        sw      $t1, 4($t0)
        synci   4($t0)
        sync
        sw      $t3, 0($t5)
2:      lw      $t4, 4($t5)
        bne     $t4, $t3, 2b
        nop
        lw      $t4, 8($t5)
        CHECK_SAME $t4, $t3
        addiu   $t3, $t3, 1
        li      $t4, 100
        bne     $t3, $t4, 1b
        nop
TEST_END
        .globl  test_other
test_other:
        li      $t0, KSEG0(FREE_PA)
        la      $t5, turn
        li      $t3, 0
1:      lw      $t1, 0($t5)
        beq     $t1, $t3, 1b
        move    $t3, $t1
        sync
        synci   4($t0)
        jalr.hb $t0
        nop
        sw      $v0, 8($t5)
        sync
        b       1b
        sw      $t3, 4($t5)
        .data
        .balign 32
turn:   .word   0, 0, 0
