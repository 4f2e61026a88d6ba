/* For test_prefetch_points.sh: loads that miss, whose lines points can prefetch. `strided` goes through memory line by line.
 * `chased` follows a list whose nodes are scattered: a node has a pointer in its first line and a value in its second. All
 * execute LINES times. `first` and `unmapped` execute once. */
#include "test.h"
#define LINE 64
#define LINES 64

        .globl  _text, _etext
_text:
TEST
        la      $t0, list               /* node i points to node 5 i + 1, and has the value i */
        li      $t2, 0
1:      sll     $t3, $t2, 2
        addu    $t3, $t3, $t2
        addiu   $t3, $t3, 1
        andi    $t3, $t3, LINES - 1
        sll     $t3, $t3, 7
        addu    $t3, $t3, $t0
        sll     $t4, $t2, 7
        addu    $t4, $t4, $t0
        sw      $t3, 0($t4)
        sw      $t2, LINE($t4)
        addiu   $t2, $t2, 1
        bne     $t2, $t5, 1b
        li      $t5, LINES

        la      $t0, area               /* the list out of a cache of 8 KB */
        li      $t2, 512
1:      lw      $t3, 0($t0)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addiu   $t0, $t0, LINE

        la      $t0, line
        li      $t2, LINES
        .globl  first, strided, chased, valued, unmapped
first:  nop
strided:
#ifdef PREF
        pref    0, PREF($t0)
#endif
        lw      $t3, 0($t0)
        .rept   20
        addu    $t4, $t4, $t3
        .endr
        addiu   $t2, $t2, -1
        bnez    $t2, strided
        addiu   $t0, $t0, LINE

        la      $t0, list
        li      $t1, 0
        li      $t2, LINES
1:      lw      $t0, 0($t0)
chased: nop
        .rept   20
        addu    $t4, $t4, $t0
        .endr
valued: lw      $t3, LINE($t0)
        addiu   $t2, $t2, -1
        bnez    $t2, 1b
        addu    $t1, $t1, $t3
unmapped:
        nop
        CHECK   $t1, LINES * (LINES - 1) / 2
TEST_END
_etext:
        .bss
        .balign 4096
area:   .space  512 * LINE
line:   .space  2 * LINES * LINE
list:   .space  2 * LINES * LINE
