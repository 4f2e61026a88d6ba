/* mtc1, mfc1, lwc1 and swc1 move 32 bits to and from all 32 registers unchanged. */
#include "fp.h"
FP_TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t1, 0x7f800001
        .irp    n, 0, 1, 2, 15, 16, 30, 31
        addiu   $t1, $t1, 0x0101
        mtc1    $t1, $f\n
        nop
        mfc1    $t2, $f\n
        swc1    $f\n, \n * 4($t0)
        CHECK_SAME $t2, $t1
        lw      $t2, \n * 4($t0)
        nop
        CHECK_SAME $t2, $t1
        .endr
        li      $t1, 0xdeadbeef
        sw      $t1, 0x200($t0)
        lwc1    $f7, 0x200($t0)
        nop
        nop
        mfc1    $t2, $f7
        nop
        CHECK   $t2, 0xdeadbeef
TEST_END
