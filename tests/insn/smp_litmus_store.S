/* Store buffering: FIRST stores x and loads y, SECOND stores y and loads x, with sync between: not both miss the other's
 * store. In turn i FIRST sees y of turn r; so in its turn r + 1 SECOND stored y after that, and its load comes after
 * FIRST's store of turn i.
 * simos: --cpus 2 --set machine.quantum=5 */
/* qemu: no */
#include "smp_litmus.h"
        .macro  exchange mine, other
        LATE(\mine)
        sw      $s0, 0($t9)
        sync
        lw      $t1, 0(\other)
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
        beqz    $t4, 2f                 /* SECOND was through */
        nop
        la      $t5, seen + 8 * TURNS
        sll     $t2, $t1, 3
        addu    $t5, $t5, $t2
        lw      $t2, 0($t5)             /* what SECOND saw of x in turn r + 1 */
        sltu    $t4, $t2, $t3
        CHECK   $t4, 0
2:      addiu   $t3, $t3, 1
        sltiu   $t4, $t3, TURNS + 1
        bnez    $t4, 1b
        addiu   $t0, $t0, 8
        CHECK_TRUE $t6                  /* and they did meet */
        jr      $ra
        nop
