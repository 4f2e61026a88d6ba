/* Load buffering: FIRST loads y and stores x, SECOND loads x and stores y, with sync between: not both see the other's
 * store, which came behind its load. In turn i FIRST sees y of turn r: SECOND's load of turn r came before, so it cannot
 * have seen x of turn i.
 * simos: --cpus 2 --set machine.quantum=5 */
/* qemu: no */
#include "smp_litmus.h"
        .macro  exchange mine, other
        LATE(\other)
        lw      $t1, 0($t9)
        sync
        sw      $s0, 0(\mine)
        sw      $t1, 0($s1)
        .endm
        .macro  first
        exchange $a0, $a1
        .endm
        .macro  second
        exchange $a1, $a0
        .endm
BOTH_RUN(first, second)
look:   la      $t0, seen
        li      $t3, 1                  /* i */
        li      $t6, 0
1:      lw      $t1, 0($t0)             /* r */
        sltiu   $t4, $t1, TURNS
        movn    $t6, $t1, $t4           /* seen while SECOND was at it */
        beqz    $t1, 2f                 /* SECOND had not stored yet */
        nop
        la      $t5, seen + 8 * TURNS - 8
        sll     $t2, $t1, 3
        addu    $t5, $t5, $t2
        lw      $t2, 0($t5)             /* what SECOND saw of x in turn r */
        sltu    $t4, $t2, $t3
        CHECK   $t4, 1
2:      addiu   $t3, $t3, 1
        sltiu   $t4, $t3, TURNS + 1
        bnez    $t4, 1b
        addiu   $t0, $t0, 8
        CHECK_TRUE $t6
        jr      $ra
        nop
