/* Each processor has its own TLB, ASID and mode: the same address is different memory.
 * simos: --cpus 2 --set machine.quantum=5 */
/* qemu: no */
#include "test.h"
#define VA 0x00c00000
TEST
        MAP     1, VA | 3, LO(FREE_PA, LO_RW), 0
        START_OTHER 1
        jal     work
        li      $a0, 1
        CHECK   $v0, 2000 * 2001 / 2
        la      $t0, done
1:      lw      $t1, 0($t0)
        beqz    $t1, 1b
        nop
        CHECK   $t1, 2000 * 2001
        li      $t0, KSEG0(FREE_PA)
        lw      $t1, 0($t0)
        CHECK   $t1, 2000 * 2001 / 2
        lw      $t1, 0x1000($t0)
        CHECK   $t1, 2000 * 2001
TEST_END
work:   li      $t0, VA                 /* sum of 2000 .. 1, times $a0, in memory */
        li      $t1, 2000
        sw      $zero, 0($t0)
1:      mul     $t2, $t1, $a0
        lw      $t3, 0($t0)
        addu    $t3, $t3, $t2
        sw      $t3, 0($t0)
        addiu   $t1, $t1, -1
        bnez    $t1, 1b
        nop
        jr      $ra
        lw      $v0, 0($t0)
        .globl  test_other
test_other:
        MAP     7, VA | 9, LO(FREE_PA + 0x1000, LO_RW), 0
        jal     work
        li      $a0, 2
        la      $t0, done
        sw      $v0, 0($t0)
1:      b       1b
        nop
        .data
        .balign 32
done:   .word   0
