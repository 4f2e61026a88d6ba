/* A store by another processor between ll and sc makes sc fail, of whatever width and even of the same value; one to
 * another line does not. simos: --cpus 2 --set machine.quantum=11 */
/* qemu: no */
#include "test.h"
/* Links, lets the other processor run REQUEST, tries to store. */
.macro ATTEMPT request, result
        la      $t0, word
        ll      $t1, 0($t0)
        la      $t2, request
        li      $t3, \request
        sw      $t3, 0($t2)
1:      lw      $t3, 0($t2)
        bnez    $t3, 1b
        nop
        li      $t4, 1000
        sc      $t4, 0($t0)
        CHECK   $t4, \result
.endm
TEST
        START_OTHER 1
        ATTEMPT 1, 0                    /* sw */
        lw      $t1, 0($t0)
        CHECK   $t1, 77
        ATTEMPT 2, 0                    /* sb into it */
        ATTEMPT 3, 1                    /* sw to another page */
        lw      $t1, 0($t0)
        CHECK   $t1, 1000
        ATTEMPT 4, 0                    /* the same value */
        ATTEMPT 5, 0                    /* ll and sc */
        ATTEMPT 6, 1                    /* a load only */
        ATTEMPT 7, 0                    /* sw through kseg1 */
        ATTEMPT 3, 1
TEST_END

        .globl  test_other
test_other:
        la      $t0, word
        la      $t2, request
        la      $t5, elsewhere
        li      $t6, 77
1:      lw      $t3, 0($t2)
        beqz    $t3, 1b
        li      $t4, 1
        bne     $t3, $t4, 2f
        li      $t4, 2
        sw      $t6, 0($t0)
2:      bne     $t3, $t4, 2f
        li      $t4, 3
        sb      $t6, 3($t0)
2:      bne     $t3, $t4, 2f
        li      $t4, 4
        sw      $t6, 0($t5)
2:      bne     $t3, $t4, 2f
        li      $t4, 5
        lw      $t7, 0($t0)
        sw      $t7, 0($t0)
2:      bne     $t3, $t4, 2f
        li      $t4, 6
3:      ll      $t7, 0($t0)
        sc      $t7, 0($t0)
        beqz    $t7, 3b
        nop
2:      bne     $t3, $t4, 2f
        li      $t4, 7
        lw      $t7, 0($t0)
2:      bne     $t3, $t4, 2f
        lui     $t7, 0x2000
        or      $t7, $t7, $t0
        cache   0x15, 0($t0)
        sw      $t6, 0($t7)
2:      sync
        b       1b
        sw      $zero, 0($t2)
        .data
        .balign 64
word:   .word   5
        .balign 64
request: .word  0
        .balign 4096
elsewhere: .word 0
