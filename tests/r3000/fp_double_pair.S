/* A double is a pair of registers: the low word in the even one, the high word in the odd one; in memory as two
 * words, the low one first (little-endian). */
#include "fp.h"
FP_TEST
        li      $t0, 0x3ff80000         /* 1.5 */
        mtc1    $zero, $f2
        mtc1    $t0, $f3
        nop
        add.d   $f4, $f2, $f2
        nop
        mfc1    $t1, $f4
        mfc1    $t2, $f5
        nop
        CHECK   $t1, 0
        CHECK   $t2, 0x40080000
        mov.d   $f6, $f4
        nop
        mfc1    $t2, $f7
        nop
        CHECK   $t2, 0x40080000
TEST_END
