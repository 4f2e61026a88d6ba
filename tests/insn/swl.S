/* swl: all four alignments; the other bytes of memory stay. */
#include "test.h"
TEST
        la      $t0, word
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        swl     $t2, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x5a5a5a12
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        swl     $t2, 1($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x5a5a12b4
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        swl     $t2, 2($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x5a12b4d6
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        swl     $t2, 3($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x12b4d6f8
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
TEST_END

        .data
        .balign 32
word:   .space  8
