/* Four processors take turns under a lock made of ll and sc; what they protect is changed by plain loads and stores.
 * simos: --cpus 4 --set machine.quantum=3 */
/* qemu: no */
#include "test.h"
#define TURNS 500
TEST
        START_OTHER 1
        START_OTHER 2
        START_OTHER 3
        jal     work
        nop
        la      $t0, data
        li      $t2, 4
1:      lw      $t1, 4($t0)
        bne     $t1, $t2, 1b
        nop
        lw      $t1, 0($t0)
        CHECK   $t1, 4 * TURNS
        lw      $t1, 8($t0)
        CHECK   $t1, 12 * TURNS
TEST_END
work:   la      $t0, lock
        la      $t5, data
        li      $t2, TURNS
1:      ll      $t1, 0($t0)
        bnez    $t1, 1b
        li      $t1, 1
        sc      $t1, 0($t0)
        beqz    $t1, 1b
        sync
        lw      $t3, 0($t5)
        lw      $t4, 8($t5)
        addiu   $t3, $t3, 1
        addiu   $t4, $t4, 3
        sw      $t4, 8($t5)
        sw      $t3, 0($t5)
        sync
        sw      $zero, 0($t0)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        nop
2:      ll      $t1, 4($t5)
        addiu   $t1, $t1, 1
        sc      $t1, 4($t5)
        beqz    $t1, 2b
        nop
        jr      $ra
        sync
        .globl  test_other
test_other:
        jal     work
        nop
1:      b       1b
        nop
        .data
        .balign 64
lock:   .word   0
        .balign 64
data:   .word   0, 0, 0
