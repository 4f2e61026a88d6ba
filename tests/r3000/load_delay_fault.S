/* A load that raises an exception leaves its register, also for its slot's successor. */
#include "test.h"
TEST
        li      $t0, KSEG0(FREE_PA)
        li      $t2, 0x33
        EXPECT  EXC_ADEL, lw $t2, 2($t0)
        CHECK   $t2, 0x33
        li      $t1, 0x00700000
        EXPECT  EXC_TLBL, lw $t2, 0($t1)
        CHECK   $t2, 0x33
        li      $t1, 0x11               /* the load before it arrives all the same */
        sw      $t1, 0($t0)
        RESUME_AT 1f
        lw      $t2, 0($t0)
        lw      $t2, 2($t0)
        FAIL
1:      CHECK   $t2, 0x11
TEST_END
