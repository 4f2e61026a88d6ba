/* Two processors and the order in which each sees what the other stores. For the smp_litmus_*.S, which say what FIRST
 * (the program's own processor) and SECOND do in turn I ($s0, 1 to TURNS); what each notes in `seen`, by turn, is looked
 * at when both are through.
 *
 * The address of an access marked LATE takes as long as a division: a processor that executes out of order makes those
 * behind it first, unless that is forbidden. */
#include "test.h"
#define TURNS 600
#define LATE(address)           \
        divu    $zero, $s0, $s0;\
        mflo    $t8;            \
        addiu   $t8, $t8, -1;   \
        addu    $t9, address, $t8
#define BOTH_RUN(first, second)                 \
TEST;                                           \
        START_OTHER 1;                          \
        run     first, seen, here, there;       \
        la      $t0, done;                      \
1:      lw      $t1, 0($t0);                    \
        beqz    $t1, 1b;                        \
        nop;                                    \
        sync;                                   \
        jal     look;                           \
        nop;                                    \
TEST_END;                                       \
        .globl  test_other;                     \
test_other:                                     \
        run     second, seen + 8 * TURNS, there, here; \
        sync;                                   \
        la      $t0, done;                      \
        li      $t1, 1;                         \
        sw      $t1, 0($t0);                    \
2:      b       2b;                             \
        nop

/* $a0 = x, $a1 = y; $s1 = where this turn's two words go. They begin together; turns are of different lengths, so that
 * they meet in every way. */
        .macro  run what, where, own, other
        la      $t0, \own
        la      $t1, \other
        li      $t2, 1
        sw      $t2, 0($t0)
10:     lw      $t2, 0($t1)
        beqz    $t2, 10b
        nop
        la      $a0, x
        la      $a1, y
        la      $s1, \where
        li      $s0, 1
11:     \what
        addiu   $s1, $s1, 8
        andi    $t5, $s0, 15
12:     bnez    $t5, 12b
        addiu   $t5, $t5, -1
        addiu   $s0, $s0, 1
        sltiu   $t5, $s0, TURNS + 1
        bnez    $t5, 11b
        nop
        .endm

        .data
        .balign 64
x:      .word   0
        .balign 64
y:      .word   0
        .balign 64
done:   .word   0
        .balign 64
here:   .word   0
        .balign 64
there:  .word   0
        .balign 64
seen:   .space  16 * TURNS
        .text
