/* sh: stores its bytes at every position and no others. */
#include "test.h"
TEST
        la      $t0, word
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, -4($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        sh      $t2, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0x5a5ad6f8
        lw      $t3, -4($t0)
        CHECK   $t3, 0x5a5a5a5a
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
        la      $t0, word
        li      $t1, 0x5a5a5a5a
        sw      $t1, 0($t0)
        sw      $t1, -4($t0)
        sw      $t1, 4($t0)
        li      $t2, 0x12b4d6f8
        sh      $t2, 2($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0xd6f85a5a
        lw      $t3, -4($t0)
        CHECK   $t3, 0x5a5a5a5a
        lw      $t3, 4($t0)
        CHECK   $t3, 0x5a5a5a5a
        sh      $zero, 0($t0)
        lw      $t3, 0($t0)
        CHECK   $t3, 0xd6f80000
TEST_END

        .data
        .balign 32
        .space  4
word:   .space  8
