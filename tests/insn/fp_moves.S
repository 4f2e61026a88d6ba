/* mtc1, mfc1, mov.s, mov.d, lwc1, swc1: bit patterns pass unchanged, signalling NaNs too; no flags. */
#include "fp.h"
TEST
        SET_STATUS ST_CU1
        SET_FCSR 0
        la      $t0, words
        SINGLE  20, 0x7fffffff
        mov.s   $f24, $f20
        CHECK_SINGLE 24, 0x7fffffff
        SINGLE  1, 0x80000001
        mov.s   $f3, $f1
        CHECK_SINGLE 3, 0x80000001
        lwc1    $f5, 4($t0)
        CHECK_SINGLE 5, 0x9abcdef0
        swc1    $f3, 8($t0)
        lw      $t1, 8($t0)
        CHECK   $t1, 0x80000001
        DOUBLE  20, 0x7ff7ffff, 0xffffffff
        mov.d   $f24, $f20
        CHECK_DOUBLE 24, 0x7ff7ffff, 0xffffffff
        neg.s   $f24, $f3
        CHECK_SINGLE 24, 0x00000001
        abs.s   $f24, $f3
        CHECK_SINGLE 24, 0x00000001
        CHECK_FCSR 0xffffffff, 0
        EXPECT  EXC_ADEL, lwc1 $f5, 2($t0)
        EXPECT  EXC_ADES, swc1 $f5, 1($t0)
        CHECK_STATE S_BADVADDR, words + 1
        CHECK_SINGLE 5, 0x9abcdef0
TEST_END
        .data
        .balign 32
words:  .word   0x12345678, 0x9abcdef0, 0, 0
