/* A watched load or store raises the Watch exception before it takes effect, and records its kind; accesses to other
 * doublewords, of the other kind, or by another address to the same memory, do not.
 * qemu: no (another processor)
 * simos: --set cpu.watch_registers=on */
#include "test.h"
TEST
        la      $t0, words
        li      $t1, 77
        li      $t2, 0x1234
        SET_STATUS ST_CU1
        mfc0    $s0, C0_BADVADDR

        /* loads */
        WATCH   2, words + 8, WATCH_R
        lw      $t3, 4($t0)
        lw      $t3, 16($t0)
        EXPECT  EXC_WATCH, lw $t1, 8($t0)
        CHECK   $t1, 77
        CHECK_WATCHED 2, WATCH_R
        EXPECT  EXC_WATCH, lw $t1, 12($t0)
        EXPECT  EXC_WATCH, lb $t1, 15($t0)
        EXPECT  EXC_WATCH, lhu $t1, 10($t0)
        EXPECT  EXC_WATCH, lwl $t1, 9($t0)
        EXPECT  EXC_WATCH, lwr $t1, 14($t0)
        EXPECT  EXC_WATCH, ll $t1, 8($t0)
        EXPECT  EXC_WATCH, lwc1 $f0, 8($t0)
        EXPECT  EXC_WATCH, ldc1 $f0, 8($t0)
        EXPECT_IN_SLOT EXC_WATCH, "b 7f", lw $t1, 8($t0)
        CHECK   $t1, 77
        sw      $t2, 8($t0)             /* stores are not watched */
        sdc1    $f0, 8($t0)
        sw      $t2, 8($t0)
        pref    0, 8($t0)               /* nor hints and cache operations */
        cache   0x15, 8($t0)
        li      $t4, 0x20000000
        or      $t4, $t4, $t0
        lw      $t3, 8($t4)             /* nor another address of the word */
        mfc0    $t3, C0_BADVADDR
        CHECK_SAME $t3, $s0
        UNWATCH 2
        lw      $t1, 8($t0)
        CHECK_WATCHED 2, WATCH_R        /* until software clears it */
        WATCH   2, 0, 0
        CHECK_WATCHED 2, 0

        /* stores */
        li      $t1, 99
        WATCH   3, words + 8, WATCH_W
        EXPECT  EXC_WATCH, sw $t1, 12($t0)
        EXPECT  EXC_WATCH, sb $t1, 8($t0)
        EXPECT  EXC_WATCH, sh $t1, 14($t0)
        EXPECT  EXC_WATCH, swl $t1, 9($t0)
        EXPECT  EXC_WATCH, swr $t1, 9($t0)
        EXPECT  EXC_WATCH, swc1 $f0, 8($t0)
        EXPECT  EXC_WATCH, sdc1 $f0, 8($t0)
        ll      $t3, 8($t0)
        EXPECT  EXC_WATCH, sc $t1, 8($t0)
        EXPECT_IN_SLOT EXC_WATCH, "bne $t0, $zero, 7f", sw $t1, 8($t0)
        CHECK_WATCHED 3, WATCH_W
        CHECK_WATCHED 2, 0
        lw      $t3, 8($t0)
        CHECK_SAME $t3, $t2
        CHECK   $t1, 99

        /* both kinds, two pairs; a mask */
        WATCH   3, words + 24, WATCH_R | WATCH_W
        WATCH   2, words, WATCH_R | WATCH_W, WATCH_G | 0x38
        EXPECT  EXC_WATCH, lw $t1, 24($t0)
        CHECK_WATCHED 3, WATCH_R
        EXPECT  EXC_WATCH, sw $t1, 24($t0)
        CHECK_WATCHED 3, WATCH_R | WATCH_W
        EXPECT  EXC_WATCH, lw $t1, 60($t0)
        EXPECT  EXC_WATCH, sw $t1, 0($t0)
        lw      $t1, 64($t0)
        UNWATCH 2
        UNWATCH 3
        sw      $t1, 24($t0)

        /* the address space; before address errors and the TLB */
        SET_ASID 5
        WATCH   2, words + 8, WATCH_R, WATCH_ASID(4)
        lw      $t1, 8($t0)
        SET_ASID 4
        EXPECT  EXC_WATCH, lw $t1, 8($t0)
        SET_ASID 5
        lw      $t1, 8($t0)
        WATCH   2, words + 8, WATCH_R
        EXPECT  EXC_WATCH, lw $t1, 9($t0)
        WATCH   2, 0x00700000, WATCH_R | WATCH_W
        li      $t5, 0x00700000
        EXPECT  EXC_WATCH, lw $t1, 4($t5)
        EXPECT  EXC_WATCH, sw $t1, 0($t5)
        EXPECT  EXC_TLBL, lw $t1, 8($t5)
        UNWATCH 2
        EXPECT  EXC_TLBL, lw $t1, 4($t5)

        /* in the middle of a loop that has run: and not after it is switched off */
        WATCH   2, words + 8, 0
        li      $t6, 300
        li      $t7, 0
1:      lw      $t1, 8($t0)
        addiu   $t7, $t7, 1
        li      $t3, 100
        bne     $t6, $t3, 2f
        nop
        la      $t3, words + 8
        ori     $t3, $t3, WATCH_R
        mtc0    $t3, C0_WATCHLO(2)
        ehb
        EXPECT  EXC_WATCH, lw $t1, 8($t0)
        mtc0    $zero, C0_WATCHLO(2)
        ehb
2:      addiu   $t6, $t6, -1
        bnez    $t6, 1b
        nop
        CHECK   $t7, 300
TEST_END
        .data
        .balign 128
words:  .space  128
