/* Message passing: FIRST stores x, then y; who sees y sees x too, if both order the two by sync. MIPS32 volume II, SYNC.
 * simos: --cpus 2 --set machine.quantum=7 */
/* qemu: no */
#include "smp_litmus.h"
        .macro  write
        sw      $s0, 0($a0)
        sync
        sw      $s0, 0($a1)
        .endm
        .macro  read
        LATE($a1)
        lw      $t1, 0($t9)
        sync
        lw      $t2, 0($a0)
        sw      $t1, 0($s1)
        sw      $t2, 4($s1)
        .endm
BOTH_RUN(write, read)
look:   la      $t0, seen + 8 * TURNS
        li      $t3, TURNS
        li      $t5, 0
1:      lw      $t1, 0($t0)
        lw      $t2, 4($t0)
        sltu    $t4, $t2, $t1
        CHECK   $t4, 0                  /* x is not older than y */
        sltiu   $t4, $t1, TURNS
        movn    $t5, $t1, $t4           /* seen while FIRST was at it */
        addiu   $t3, $t3, -1
        bnez    $t3, 1b
        addiu   $t0, $t0, 8
        CHECK_TRUE $t5                  /* and they did meet */
        jr      $ra
        nop
