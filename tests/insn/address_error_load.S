/* Unaligned loads: AdEL with BadVAddr; neither register nor memory changes. */
#include "test.h"
TEST
        la      $t0, word
        li      $t1, 0x12345678
        sw      $t1, 0($t0)
        EXPECT  EXC_ADEL, lh $t1, 1($t0)
        CHECK_STATE S_BADVADDR, word + 1
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lh $t1, 3($t0)
        CHECK_STATE S_BADVADDR, word + 3
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lhu $t1, 1($t0)
        CHECK_STATE S_BADVADDR, word + 1
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lhu $t1, 3($t0)
        CHECK_STATE S_BADVADDR, word + 3
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lw $t1, 1($t0)
        CHECK_STATE S_BADVADDR, word + 1
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lw $t1, 2($t0)
        CHECK_STATE S_BADVADDR, word + 2
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, lw $t1, 3($t0)
        CHECK_STATE S_BADVADDR, word + 3
        CHECK   $t1, 0x12345678
        lw      $t2, 0($t0)
        CHECK   $t2, 0x12345678
        lw      $t2, 4($t0)
        CHECK   $t2, 0
        EXPECT  EXC_ADEL, lw $zero, 2($t0)
TEST_END

        .data
        .balign 32
word:   .space  8
