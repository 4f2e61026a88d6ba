/* Coherence: two loads of one word, in program order, do not see its values in the other order; no sync is needed for
 * that. The first knows its address late.
 * simos: --cpus 2 --set machine.quantum=3 */
/* qemu: no */
#include "smp_litmus.h"
        .macro  write
        sw      $s0, 0($a0)
        .endm
        .macro  read
        LATE($a0)
        lw      $t1, 0($t9)
        lw      $t2, 0($a0)
        sw      $t1, 0($s1)
        sw      $t2, 4($s1)
        .endm
BOTH_RUN(write, read)
look:   la      $t0, seen + 8 * TURNS
        li      $t3, TURNS
        li      $t5, 0
        li      $t6, 0
1:      lw      $t1, 0($t0)
        lw      $t2, 4($t0)
        sltu    $t4, $t2, $t1
        CHECK   $t4, 0                  /* the second is not older than the first */
        sltu    $t4, $t1, $t6
        CHECK   $t4, 0                  /* nor the first older than the second of the turn before */
        move    $t6, $t2
        sltiu   $t4, $t1, TURNS
        movn    $t5, $t1, $t4           /* seen while FIRST was at it */
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        addiu   $t0, $t0, 8
        CHECK_TRUE $t5
        jr      $ra
        nop
