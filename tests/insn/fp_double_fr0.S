/* Status.FR = 0: a double is the pair of an even register (low word) and the odd one after it; ldc1, sdc1, mov.d. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        la      $t0, words
        ldc1    $f4, 0($t0)
        mfc1    $t1, $f4
        CHECK   $t1, 0x12345678
        mfc1    $t1, $f5
        CHECK   $t1, 0x9abcdef0
        mfhc1   $t1, $f4
        CHECK   $t1, 0x9abcdef0
        li      $t1, 0x11112222
        mtc1    $t1, $f5
        sdc1    $f4, 8($t0)
        lw      $t1, 8($t0)
        CHECK   $t1, 0x12345678
        lw      $t1, 12($t0)
        CHECK   $t1, 0x11112222
        li      $t1, 0x33334444
        mthc1   $t1, $f4
        mfc1    $t1, $f5
        CHECK   $t1, 0x33334444
        mov.d   $f30, $f4
        mfc1    $t1, $f31
        CHECK   $t1, 0x33334444
        EXPECT  EXC_ADEL, ldc1 $f4, 4($t0)
        CHECK_STATE S_BADVADDR, words + 4
        EXPECT  EXC_ADES, sdc1 $f4, 12($t0)
        CHECK_STATE S_BADVADDR, words + 12
        mfc1    $t1, $f4
        CHECK   $t1, 0x12345678
TEST_END
        .data
        .balign 32
words:  .word   0x12345678, 0x9abcdef0, 0, 0, 0
