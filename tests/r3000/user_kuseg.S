/* Kernel mode reads and writes kuseg through the same TLB entries as user mode. */
#include "test.h"
TEST
        MAP_PROGRAM
        MAP     1, HI(0x00700000, 5), LO(FREE_PA, LO_RW)
        SET_ASID 5
        li      $t0, 0x00700000
        li      $t1, 0xcafe1234
        sw      $t1, 0x20($t0)
        li      $t3, 0x11
        RUN_USER user
        CHECK_EXCEPTION EXC_SYS, USER(end)
        CHECK   $t2, 0xcafe1234
        li      $t0, KSEG0(FREE_PA)
        CHECK_WORD 0x24, $t0, 0x11
        b       9f
        nop
user:   lw      $t2, 0x20($t0)
        sw      $t3, 0x24($t0)
end:    syscall
9:
TEST_END
