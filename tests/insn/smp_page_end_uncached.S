/* The last word of a page is an uncached load, in a loop, on two processors: translated code leaves there in the middle of a
 * turn, and the time that is left belongs to the next page. simos: --cpus 2 --set machine.quantum=200 */
/* qemu: no */
#include "test.h"
.macro PREPARE
        la      $t1, word
        lui     $t2, 0x2000
        or      $t1, $t1, $t2           /* in kseg1 */
        li      $t3, 2000
        li      $t4, 0
.endm
TEST
        START_OTHER 1
        PREPARE
        j       again
        nop
word:   .word   7                       /* what is loaded */
        .balign 4096
        .space  4096 - 12 * 4
again:  addiu   $t3, $t3, -1
        .rept   10
        addiu   $t4, $t4, 1
        .endr
        lw      $t0, 0($t1)             /* last word of the page */
        bnez    $t3, again
        nop
        CHECK   $t0, 7
        CHECK   $t4, 20000
TEST_END
        .globl  test_other
test_other:
        PREPARE
        j       again
        nop
