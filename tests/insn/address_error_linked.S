/* Unaligned ll, sc: AdEL, AdES with BadVAddr, whether linked or not. qemu: no (sc without a link does not look at its
 * address there) */
#include "test.h"
TEST
        la      $t0, word
        li      $t1, 0x12345678
        EXPECT  EXC_ADEL, ll $t1, 1($t0)
        CHECK_STATE S_BADVADDR, word + 1
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, ll $t1, 2($t0)
        CHECK_STATE S_BADVADDR, word + 2
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADEL, ll $t1, 3($t0)
        CHECK_STATE S_BADVADDR, word + 3
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADES, sc $t1, 1($t0)
        CHECK_STATE S_BADVADDR, word + 1
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADES, sc $t1, 2($t0)
        CHECK_STATE S_BADVADDR, word + 2
        CHECK   $t1, 0x12345678
        EXPECT  EXC_ADES, sc $t1, 3($t0)
        CHECK_STATE S_BADVADDR, word + 3
        CHECK   $t1, 0x12345678
        ll      $t2, 0($t0)
        EXPECT  EXC_ADES, sc $t1, 2($t0)
        lw      $t2, 0($t0)
        CHECK   $t2, 5
TEST_END

        .data
        .balign 32
word:   .word   5, 0
