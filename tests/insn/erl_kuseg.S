/* While ERL is set kuseg is physical memory, uncached, without the TLB; eret clears ERL and goes to ErrorEPC, and kuseg
 * is mapped again. */
#include "test.h"
TEST
        li      $t0, KSEG1(FREE_PA)
        li      $t2, 0x12345678
        sw      $t2, 16($t0)
        la      $t1, 1f
        mtc0    $t1, C0_ERROREPC
        la      $t1, 2f
        mtc0    $t1, C0_EPC
        li      $t0, FREE_PA
        SET_STATUS ST_ERL | ST_EXL
        lw      $t3, 16($t0)
        sw      $t0, 20($t0)
        eret
2:      FAIL
1:      CHECK   $t3, 0x12345678
        mfc0    $t4, C0_STATUS
        CHECK_BITS $t4, ST_ERL | ST_EXL, ST_EXL
        mtc0    $zero, C0_STATUS
        ehb
        EXPECT  EXC_TLBL, lw $t3, 16($t0)
        li      $t1, KSEG1(FREE_PA)
        lw      $t3, 20($t1)
        CHECK   $t3, FREE_PA
TEST_END
