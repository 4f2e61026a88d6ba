/* Shapes of the tests of loads and stores, at an address in $t0: from `bytes`, to `word`. */
#ifndef SIMOS_TESTS_INSN_MEMORY_H
#define SIMOS_TESTS_INSN_MEMORY_H

#include "test.h"

/* OP $t1, OFFSET($t0) with OLD in $t1 before */
.macro LOAD op, offset, value, old=0x5a5a5a5a
        li      $t1, \old
        \op     $t1, \offset($t0)
        CHECK   $t1, \value
.endm

/* OP of 0x12b4d6f8 to the byte OFFSET of `word`, whose value it is then; the words beside it stay. */
.macro STORE op, offset, value
        la      $t0, word
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, -4($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        \op     $t2, \offset($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, \value
        lw      $t3, -4($t0)
        CHECK   $t3, 0x5a5a5a5a
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
.endm

/* OP $t1, OFFSET($t0), where $t0 is the address of `word`, raises CODE for that address; $t1 keeps 0x12345678. */
.macro MISALIGNED code, op, offset
        EXPECT  \code, \op $t1, \offset($t0)
        CHECK_STATE S_BADVADDR, word + \offset
        CHECK   $t1, 0x12345678
.endm

        .data
        .balign 32
bytes:  .byte   0x11, 0x82, 0x33, 0xf4, 0x55, 0xa6, 0x77, 0xc8, 0x7f, 0x80, 0xff, 0x00
        .balign 32
        .space  4
word:   .space  8
#endif
